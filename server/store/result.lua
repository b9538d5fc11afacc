-- Keep what is shown of a finished room, and let go of what is too much or too old.
local places, cards = unpack(KEYS)
local room, moment, card, most, kept = unpack(ARGV)
call('ZADD', places, moment, room)
call('HSET', cards, room, card)
local function drop(rooms)
  if #rooms == 0 then return end
  call('ZREM', places, unpack(rooms))
  call('HDEL', cards, unpack(rooms))
end
local over = math.min(call('ZCARD', places) - most, 100)
if over > 0 then drop(call('ZRANGE', places, 0, over - 1)) end
drop(call('ZRANGEBYSCORE', places, '-inf', whole(call('TIME')[1] * 1000 - kept), 'LIMIT', 0, 100))
return 'done'
