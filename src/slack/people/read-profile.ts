import { isTimeZone } from '../../time/zones.ts';
import type { Profile, Standing } from '../app/parts.ts';
import type { SlackUser } from './members.ts';

/** The workspace the app is installed in, and the organization it is part of; null where it is part of none. */
export interface Home {
  readonly team: string | null;
  readonly enterprise: string | null;
}

/** Slack does not mark it as a bot. */
const SLACKBOT = 'USLACKBOT';

/** An account as Slack shows it to an app of the home workspace. */
export function readProfile(account: string, user: SlackUser, home: Home): Profile {
  const { real_name: realName, email } = user.profile ?? {};
  return {
    name: realName ?? user.name ?? account,
    standing: standingOf(account, user, home),
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    email: email === undefined || email === '' ? null : email,
    // Slack shows it to some apps only; without it, there is nothing against the address.
    emailConfirmed: user.is_email_confirmed !== false,
    timeZone: user.tz !== undefined && isTimeZone(user.tz) ? user.tz : null,
    refused: null,
  };
}

/** An account that Slack does not show. */
export function unknownProfile(name: string, refused: string): Profile {
  const nothing = { email: null, emailConfirmed: false, timeZone: null };
  return { name, standing: null, isGuest: false, ...nothing, refused };
}

function standingOf(account: string, user: SlackUser, home: Home): Standing {
  const bot = user.is_bot === true || user.is_workflow_bot === true || user.is_connector_bot === true;
  if (bot || account === SLACKBOT) return 'bot';
  if (user.deleted === true) return 'deactivated';
  const enterprise = user.enterprise_user?.enterprise_id ?? user.enterprise_id;
  const near =
    (home.team !== null && user.team_id === home.team) ||
    (home.enterprise !== null && enterprise === home.enterprise);
  // A stranger belongs to another workspace, wherever they are met.
  return near && user.is_stranger !== true ? 'ours' : 'foreign';
}

const noAddress =
  "Slack doesn't show the email address of this account. If it shows none at all, an admin must reinstall the app with the scope users:read.email.";
export const noScope =
  "Slack doesn't let me read email addresses. An admin must reinstall the app with the scopes users:read and users:read.email.";

/** Why an account cannot be linked, in a sentence; null for a member of this workspace. */
export function accountProblem({ refused, standing }: Profile): string | null {
  if (refused === 'missing_scope') return noScope;
  if (refused !== null) return `Slack doesn't show this account (${refused}).`;
  if (standing === 'ours') return null;
  if (standing === 'deactivated') return 'The account is deactivated in Slack.';
  return `The account belongs to ${standing === 'bot' ? 'a bot' : 'another workspace'}.`;
}

/** The confirmed e-mail address of an account, or why there is none, in sentences. */
export function readEmail(profile: Profile): { readonly email: string } | { readonly because: string } {
  const because = accountProblem(profile);
  if (because !== null) return { because };
  const { email, emailConfirmed } = profile;
  // A token without the scope is no failure to Slack: it leaves the address out.
  if (email === null) return { because: noAddress };
  return emailConfirmed
    ? { email }
    : { because: "The email address of the account isn't confirmed in Slack." };
}
