let timeZone;

/** Whose clock dates are shown on: the zone (IANA) in the profile of the person who uses the page. */
export function readIn(zone) {
  timeZone = zone;
}

function textOf(at, options) {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(at);
}

/** Fills the tokens of a `<!date^…>` format in the reader's own zone, as Slack does. */
export function slackDate(seconds, format, now = Date.now()) {
  const at = new Date(seconds * 1000);
  const text = (options) => textOf(at, options);
  const near = nearDay(at, new Date(now));
  const tokens = {
    date_num: () => dayOf(at),
    date: () => long(at),
    date_short: () => text({ month: 'short', day: 'numeric', year: 'numeric' }),
    date_long: () => `${text({ weekday: 'long' })}, ${long(at)}`,
    date_pretty: () => near ?? tokens.date(),
    date_short_pretty: () => near ?? tokens.date_short(),
    date_long_pretty: () => near ?? tokens.date_long(),
    day_divider_pretty: () => near ?? text({ weekday: 'long', month: 'long', day: 'numeric' }),
    time: () => text({ hour: 'numeric', minute: '2-digit' }),
    time_secs: () => text({ hour: 'numeric', minute: '2-digit', second: '2-digit' }),
    ago: () => ago(now - seconds * 1000),
  };
  return format.replace(/\{(\w+)\}/g, (whole, name) => tokens[name]?.() ?? whole);
}

/** The day as the divider between messages names it. */
export function dayName(seconds, now = Date.now()) {
  const at = new Date(seconds * 1000);
  const near = nearDay(at, new Date(now));
  if (near) return near[0].toUpperCase() + near.slice(1);
  const day = Number(textOf(at, { day: 'numeric' }));
  return `${textOf(at, { weekday: 'long' })}, ${textOf(at, { month: 'long' })} ${ordinal(day)}`;
}

/** Hours and minutes as Slack writes them beside a name. */
export function clockTime(seconds, withMeridiem = true) {
  const text = textOf(seconds * 1000, { hour: 'numeric', minute: '2-digit' });
  return withMeridiem ? text : text.replace(/\s?[AP]M$/, '');
}

function nearDay(at, now) {
  const days = Math.round((Date.parse(dayOf(now)) - Date.parse(dayOf(at))) / 86_400_000);
  return { '-1': 'tomorrow', 0: 'today', 1: 'yesterday' }[String(days)];
}

/** The day in the reader's zone, as yyyy-MM-dd. */
function dayOf(date) {
  const part = (options) => textOf(date, options).padStart(2, '0');
  return [part({ year: 'numeric' }), part({ month: '2-digit' }), part({ day: '2-digit' })].join('-');
}

function long(at) {
  const day = Number(textOf(at, { day: 'numeric' }));
  return `${textOf(at, { month: 'long' })} ${ordinal(day)}, ${textOf(at, { year: 'numeric' })}`;
}

function ordinal(day) {
  const tail = day % 10 < 4 && Math.floor(day / 10) !== 1 ? ['th', 'st', 'nd', 'rd'][day % 10] : 'th';
  return `${day}${tail}`;
}

function ago(ms) {
  const steps = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ];
  for (const [size, unit] of steps) {
    const count = Math.floor(Math.abs(ms) / size);
    if (count > 0)
      return ms < 0
        ? `in ${count} ${unit}${count > 1 ? 's' : ''}`
        : `${count} ${unit}${count > 1 ? 's' : ''} ago`;
  }
  return 'just now';
}
