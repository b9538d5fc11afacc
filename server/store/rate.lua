-- Count a room in the ratings of its accounts: once, and only if all of them are still what the caller reckoned with.
local rated, ratings, board = unpack(KEYS)
local room, kept = ARGV[1], ARGV[2]
if call('ZSCORE', rated, room) then return 'known' end
for n = 3, #ARGV, 4 do
  if (call('HGET', ratings, ARGV[n]) or '') ~= ARGV[n + 1] then return 'conflict' end
end
local now = call('TIME')[1] * 1000
call('ZADD', rated, whole(now), room)
call('ZREMRANGEBYSCORE', rated, '-inf', whole(now - kept))
for n = 3, #ARGV, 4 do
  call('HSET', ratings, ARGV[n], ARGV[n + 2])
  call('ZADD', board, ARGV[n + 3], ARGV[n])
end
return 'done'
