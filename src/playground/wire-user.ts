import type { Json } from './json.ts';
import type { Person, PlaygroundOptions } from './options.ts';
import { Refusal } from './refusal.ts';

/** A person in the form Slack's API shows them. */
export function wireUser(person: Person, { team, now }: PlaygroundOptions): Json {
  const teamId = person.foreignTeam ?? team.id;
  return {
    id: person.id,
    team_id: teamId,
    name: person.name,
    deleted: person.deactivated ?? false,
    real_name: person.realName,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: zoneOffsetSeconds(person.tz, now()),
    profile: { real_name: person.realName, display_name: person.name, email: person.email, team: teamId },
    is_admin: person.admin ?? false,
    is_owner: false,
    is_restricted: person.guest ?? false,
    is_ultra_restricted: person.guest ?? false,
    is_bot: person.bot ?? false,
    is_app_user: false,
    is_email_confirmed: !person.unconfirmed,
    ...(person.foreignTeam === undefined ? {} : { is_stranger: false }),
    updated: 0,
  };
}

/** The app's own user in the same form. */
export function wireBotUser({ app, team }: PlaygroundOptions): Json {
  return {
    id: app.botUserId,
    team_id: team.id,
    name: app.name.toLowerCase(),
    deleted: false,
    real_name: app.name,
    tz: 'Etc/UTC',
    tz_offset: 0,
    profile: {
      real_name: app.name,
      display_name: app.name,
      api_app_id: app.id,
      bot_id: app.botId,
      team: team.id,
    },
    is_admin: false,
    is_owner: false,
    is_bot: true,
  };
}

/** Anybody of the workspace by id. */
export function wireUserById(id: string, options: PlaygroundOptions): Json {
  if (id === options.app.botUserId) return wireBotUser(options);
  const person = options.people.find((each) => each.id === id);
  if (!person) throw new Refusal('user_not_found');
  return wireUser(person, options);
}

function zoneOffsetSeconds(timeZone: string, at: number): number {
  const text = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at);
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}
