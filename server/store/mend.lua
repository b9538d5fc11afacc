-- Put one room's places right: it stands in the list that its own hash names, and in no other; and it has a deadline
-- only while it goes on. Replies {service time, ms that it still stands still, places put right}.
local room, due, open, live, time = unpack(KEYS)
local id = ARGV[1]
local now, still = service(time, due)
local status, listing, made = unpack(call('HMGET', room, 'status', 'listing', 'made'))
local running = {lobby = open, playing = live}
local wanted = listing and listing ~= '' and running[status]
local mended = 0
for _, key in ipairs({open, live}) do
  mended = mended + (key == wanted and call('ZADD', key, 'NX', made, id) or call('ZREM', key, id))
end
if not (status and running[status]) then mended = mended + call('ZREM', due, id) end
return {now, still, mended}
