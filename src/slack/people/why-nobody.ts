import type { Profile } from './profile.ts';

/** What to do where Slack keeps addresses from us. */
export const noScope =
  'Slack does not let me read e-mail addresses: an admin has to install the app again with the scopes users:read and users:read.email.';

/** Why an account can be nobody in the tracker, in a sentence; null for a person who works here. */
export function whyNobody({ refused, standing }: Profile): string | null {
  if (refused === 'missing_scope') return noScope;
  if (refused !== null) return `Slack tells nothing of the account (${refused}).`;
  switch (standing) {
    case 'ours':
      return null;
    case 'deactivated':
      return 'The account is deactivated in Slack.';
    case 'bot':
      return 'The account is a bot’s.';
    default:
      return 'The account is of another workspace.';
  }
}

/** Why its e-mail address tells nobody whose an account is, in sentences; else the address. */
export function readEmail(profile: Profile): { readonly email: string } | { readonly because: string } {
  const because = whyNobody(profile);
  if (because !== null) return { because };
  const { email, emailConfirmed } = profile;
  if (email === null) {
    // A token without the scope is no failure to Slack: it leaves the address out.
    return {
      because:
        'Slack tells no e-mail address of the account. Where it tells nobody’s, an admin has to install the app again with the scope users:read.email.',
    };
  }
  return emailConfirmed
    ? { email }
    : { because: 'The e-mail address of the account is not confirmed in Slack.' };
}
