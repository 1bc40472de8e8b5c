import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { hoursHere } from '../hours-here.ts';
import type { HomeParts, SlackParts } from '../parts.ts';
import { asFarAsTold } from '../status/as-far-as-told.ts';
import type { Facts, Ground } from './home-content.ts';

/** What counts for somebody, and how fresh it is; told by one issue, for all of them would take long. */
export async function findFacts(account: string, principal: Principal, parts: HomeParts): Promise<Facts> {
  const { reporting, settings } = parts;
  const [hours, calendars, exampleKeys] = await Promise.all([
    hoursHere({ channel: account }, account, parts),
    settings.calendars(principal),
    reporting.exampleKeys(principal, 1),
  ]);
  const calendar = calendars.find((one) => calendarIdOf(one) === hours.calendar);
  return {
    calendar: calendar === undefined ? hours.calendar : calendar.id === null ? null : calendar.name,
    timeZone: hours.timeZone,
    exampleKeys,
    ground: await groundOf(exampleKeys, principal, parts),
  };
}

async function groundOf(
  keys: readonly string[],
  principal: Principal,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<Ground | null> {
  if (keys.length === 0) return null;
  const request = ask({ principal, reportType: 'statusCount', selection: { by: 'keys', keys } });
  const { value } = await asFarAsTold(reporting.report(request));
  if (value === null) return null;
  return { tracker: value.provenance.tracker, dataAsOf: value.provenance.dataAsOf };
}
