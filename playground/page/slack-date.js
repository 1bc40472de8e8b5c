/** Fills the tokens of a `<!date^…>` format in the reader's own zone, as Slack does. */
export function slackDate(seconds, format, now = Date.now()) {
  const at = new Date(seconds * 1000);
  const text = (options) => new Intl.DateTimeFormat('en-US', options).format(at);
  const near = nearDay(at, new Date(now));
  const tokens = {
    date_num: () =>
      [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, '0')).join('-'),
    date: () => long(text({ month: 'long' }), at),
    date_short: () => text({ month: 'short', day: 'numeric', year: 'numeric' }),
    date_long: () => `${text({ weekday: 'long' })}, ${long(text({ month: 'long' }), at)}`,
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
  const word = (options) => new Intl.DateTimeFormat('en-US', options).format(at);
  if (near) return near[0].toUpperCase() + near.slice(1);
  return `${word({ weekday: 'long' })}, ${word({ month: 'long' })} ${ordinal(at.getDate())}`;
}

/** Hours and minutes as Slack writes them beside a name. */
export function clockTime(seconds, withMeridiem = true) {
  const text = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(
    seconds * 1000,
  );
  return withMeridiem ? text : text.replace(/\s?[AP]M$/, '');
}

function nearDay(at, now) {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  return { '-1': 'tomorrow', 0: 'today', 1: 'yesterday' }[String(days)];
}

function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function long(month, at) {
  return `${month} ${ordinal(at.getDate())}, ${at.getFullYear()}`;
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
