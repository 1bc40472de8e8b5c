import type { Person } from '../../playground/playground-options.ts';

/** A member of the stand-in Slack, in UTC unless `more` says otherwise: `ada` has the id `U0ADA`. */
export function slackPerson(name: string, more: Partial<Person> = {}): Person {
  return {
    id: `U0${name.toUpperCase()}`,
    name,
    realName: name,
    email: `${name}@example.com`,
    tz: 'UTC',
    ...more,
  };
}
