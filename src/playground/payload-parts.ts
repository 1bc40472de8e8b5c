import type { Json } from './json.ts';
import type { Person } from './options.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';

/** Somebody of the workspace. */
export function personOf({ workspace }: Stage, user: string): Person {
  const person = workspace.person(user);
  if (!person) throw new Refusal('user_not_found');
  return person;
}

/** What every interaction tells about who did it, where, and to which app. */
export function interactionParts(stage: Stage, user: string): Json {
  const { team, app } = stage.options;
  const { id, name } = personOf(stage, user);
  return {
    user: { id, username: name, name, team_id: team.id },
    team: { id: team.id, domain: team.domain },
    api_app_id: app.id,
    token: 'verification-token-nobody-checks',
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** Slack's escape of the three characters that mean something in its texts. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
