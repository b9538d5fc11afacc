-- One guarded write of a room. Replies {kind, service time, ms that it still stands still, ...}. '' stands for none.
-- An error undoes nothing: all checks come before the first write, and what alone can fail (XADD out) writes first.
local room, cmd, ring, inputs, out, say, aside, here, late, channel = unpack(KEYS, 1, 10)
local due, took, open, live, time, done = unpack(KEYS, 11, 16)
local id, expect, rev, v, tip, record, status, at, entry, input = unpack(ARGV, 1, 10)
local account, field, outcome, deadline, earliest, latest, listing, expire = unpack(ARGV, 11, 18)
local public, keyframe, delay, told = unpack(ARGV, 19, 22)
local now, still, real, waits = service(time, due)

local read = call('HMGET', room, 'rev', 'status', 'listing', 'made', 'ends', 'oldest', 'bytes', 'sizes')
local was = {rev = read[1] or '', status = read[2], listing = read[3] or '', made = read[4] or whole(now),
  ends = read[5] or '', oldest = tonumber(read[6] or v), bytes = tonumber(read[7] or 0), sizes = read[8] or ''}

local function wrote() -- was this very commit made before, and only its reply lost?
  if was.rev == rev then return true end
  local found = was.rev ~= expect and entry ~= '' and call('XRANGE', out, v .. '-0', v .. '-0')[1]
  return found and found[2][4] == rev
end
local function again(kind, ...) -- a write, so that WAIT has something to wait for
  call('HINCRBY', room, 'again', 1)
  return {kind, now, still, ...}
end
local function refusal()
  if wrote() then return again('done') end
  local known = field ~= '' and call('HGET', cmd, field)
  if known then return again('known', known) end
  if was.rev ~= expect then
    return {'conflict', now, still, call('HMGET', room, 'v', 'rev', 'tip', 'record', 'status')}
  end
  local off = (earliest ~= '' and now < tonumber(earliest)) or (latest ~= '' and now > tonumber(latest))
  if off or at - now > 250 or now - at > 2000 then return {'clock', now, still} end
end

local function trim() -- to 24 KiB, at least 8 and at most 64 versions
  local oldest, bytes, sizes = was.oldest, was.bytes + #entry, was.sizes .. #entry .. ' '
  while v - oldest >= 64 or (v - oldest >= 8 and bytes > 24576) do
    local size, others = string.match(sizes, '(%d+) (.*)')
    oldest, bytes, sizes = oldest + 1, bytes - size, others
  end
  if oldest > was.oldest then call('XTRIM', out, 'MINID', oldest .. '-0') end
  return {'oldest', oldest, 'bytes', bytes, 'sizes', sizes}
end
local function store_room()
  local kept = {}
  if entry ~= '' then
    call('XADD', out, v .. '-0', 'e', entry, 'r', rev)
    kept = trim()
  end
  call('HSET', room, 'v', v, 'rev', rev, 'tip', tip, 'record', record, 'status', status, 'listing', listing,
    'made', was.made, unpack(kept))
  if input ~= '' then call('XADD', inputs, '*', 'i', input) end
end
local function store_outcome() -- the last 64 of an account
  if field == '' then return end
  local slot = (call('HINCRBY', ring, 'n:' .. account, 1) % 64) .. ':' .. account
  local oldest = call('HGET', ring, slot)
  if oldest then call('HDEL', cmd, oldest) end
  call('HSET', ring, slot, field)
  call('HSET', cmd, field, outcome)
end
local function store_late() -- what the delayed may still need: all since the last keyframe that is old enough
  if public == '' then return end
  call('XADD', late, v .. '-0', 'at', at, 'e', public, 'k', keyframe)
  if keyframe == '' then return end
  local first
  for _, found in ipairs(call('XRANGE', late, '-', '+', 'COUNT', 64)) do
    if tonumber(found[2][2]) > now - delay - 60000 then break end
    if found[2][6] ~= '' then first = found[1] end
  end
  if first then call('XTRIM', late, 'MINID', first) end
end
local function set_deadline()
  call('HDEL', took, id)
  if deadline == '' then return call('ZREM', due, id) end
  call('ZADD', due, deadline, id)
  if not waits then call('HSET', time, 'beat', whole(real)) end
end
local function index()
  if status == was.status and (listing == '') == (was.listing == '') then return end
  local wanted = listing ~= '' and ({lobby = open, playing = live})[status]
  for _, key in ipairs({open, live}) do
    if key == wanted then call('ZADD', key, was.made, id) else call('ZREM', key, id) end
  end
end
local function set_expiry() -- one for all keys of a room that has ended, also for those that come later
  local ends = expire ~= '' and whole(real + expire * 1000) or was.ends
  if ends == '' then return end
  for n = 1, 9 do call('PEXPIREAT', KEYS[n], ends) end
  if expire == '' then return end
  call('HSET', room, 'ends', ends)
  call('XADD', done, '*', 'r', id)
end

local refused = refusal()
if refused then return refused end
store_room()
store_outcome()
store_late()
set_deadline()
index()
set_expiry()
if entry ~= '' then call('SPUBLISH', channel, entry) end
if told ~= '' then call('SPUBLISH', channel, told) end
return {'done', now, still}
