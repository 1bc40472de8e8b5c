import { readIn, slackDate } from './slack-date.js';

const zone = localStorage.getItem('zone');
if (zone) readIn(zone);
for (const time of document.querySelectorAll('time'))
  time.textContent = slackDate(Date.parse(time.dateTime) / 1000, '{date_short_pretty} at {time}');
