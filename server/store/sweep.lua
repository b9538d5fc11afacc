-- Take what is due in one partition, and hide it for a while so that no other node takes it too.
-- Replies {service time, ms that it still stands still, id, deadline, times taken, id, ...}.
local due, took, time = unpack(KEYS)
local limit, hidden = unpack(ARGV)
local now, still = service(time, due)
local reply = {now, still}
local ids = call('ZRANGEBYSCORE', due, '-inf', whole(now), 'WITHSCORES', 'LIMIT', 0, limit)
for n = 1, #ids, 2 do
  local id, mark = ids[n], call('HGET', took, ids[n])
  local deadline, times = string.match(mark or ids[n + 1] .. ' 0', '(%S+) (%d+)')
  call('HSET', took, id, deadline .. ' ' .. times + 1)
  call('ZADD', due, whole(now + hidden), id)
  for _, told in ipairs({id, deadline, times + 1}) do reply[#reply + 1] = told end
end
return reply
