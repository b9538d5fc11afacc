#!lua
-- Service time of a partition (ms): it stands still over an outage and 5 s more. Put before every script.
-- A beat is written wherever a deadline waits, so that time which anybody has used is never taken back.
local call = redis.call
local function whole(number) return string.format('%.0f', number) end
local function service(time, due)
  local read = call('TIME')
  local real = read[1] * 1000 + math.floor(read[2] / 1000)
  local kept = call('HMGET', time, 'beat', 'credit', 'thaw')
  local beat, credit, thaw = tonumber(kept[1]), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
  local waits = call('ZCARD', due) > 0
  if waits then
    if beat and real - beat > 3000 then
      credit = credit + real - math.max(beat + 1000, thaw) + 5000
      thaw = real + 5000
      call('HSET', time, 'credit', whole(credit), 'thaw', whole(thaw))
    end
    call('HSET', time, 'beat', whole(real))
  end
  return math.max(real, thaw) - credit, math.max(thaw - real, 0), real, waits
end
