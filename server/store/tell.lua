-- Tell a room something without a version: keep who is here, keep what was said (the last 50), publish.
-- What is kept dies with the room, and a room that is gone keeps nothing. Replies {service time, ms still, told}.
local room, say, beside, here, channel, due, time = unpack(KEYS)
local message, saying, node, members = unpack(ARGV)
local now, still, real = service(time, due)
local exists = call('EXISTS', room) == 1

local function said_before()
  for _, found in ipairs(call('XRANGE', say, '-', '+')) do
    if found[2][4] == saying then return true end
  end
end
local function newest() -- id of the last word on either side: ms, number
  local ms, n = 0, 0
  for _, key in ipairs({say, beside}) do
    local found = call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
    local at, count = string.match(found and found[1] or '0-0', '(%d+)%-(%d+)')
    at, count = tonumber(at), tonumber(count)
    if at > ms or (at == ms and count > n) then ms, n = at, count end
  end
  return ms, n
end
local function keep_word() -- after all that was said before on either side, though it was in the same millisecond
  local ms, n = newest()
  local id = ms >= real and (whole(ms) .. '-' .. whole(n + 1)) or '*'
  call('XADD', say, 'MAXLEN', 50, id, 'm', message, 'i', saying)
end
local function set_expiry()
  local moment = call('PEXPIRETIME', room)
  if moment < 0 then return end
  for _, key in ipairs({say, here}) do call('PEXPIREAT', key, whole(moment)) end
end

if saying ~= '' and said_before() then return {now, still, 0} end
if exists and saying ~= '' then keep_word() end
if exists and node ~= '' and members ~= '' then call('HSET', here, node, members) end
if node ~= '' and members == '' then call('HDEL', here, node) end
set_expiry()
if message ~= '' then call('SPUBLISH', channel, message) end
return {now, still, 1}
