import { isTimeZone } from '../../time/zones.ts';

/** The workspace whose app we are, and the organisation it is part of; null where it is part of none. */
export interface Home {
  readonly team: string | null;
  readonly enterprise: string | null;
}

/** Whose an account is: that of a person who works here, or whose instead. Guests work here as well. */
type Standing = 'ours' | 'foreign' | 'deactivated' | 'bot';

/** What Slack tells of somebody; `refused` is its word for telling nothing at all, and then nothing else is known. */
export interface Profile {
  readonly name: string;
  readonly standing: Standing | null;
  /** Whether Slack lets them into some channels only. */
  readonly isGuest: boolean;
  /** Null where Slack tells none. */
  readonly email: string | null;
  /** Whether the person has proved that the address is theirs. */
  readonly emailConfirmed: boolean;
  /** IANA zone of their Slack; null where it is none that we know. */
  readonly timeZone: string | null;
  readonly refused: string | null;
}

/** What is read of a user in the form Slack's API shows them. */
interface SlackUser {
  readonly id?: string;
  readonly name?: string;
  readonly team_id?: string;
  readonly enterprise_id?: string;
  readonly enterprise_user?: { readonly enterprise_id?: string };
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_workflow_bot?: boolean;
  readonly is_connector_bot?: boolean;
  readonly is_stranger?: boolean;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly is_email_confirmed?: boolean;
  readonly tz?: string;
  readonly profile?: { readonly real_name?: string; readonly email?: string };
}

/** Slack does not mark it as a bot. */
const SLACKBOT = 'USLACKBOT';

/** An account as Slack told it to an app of the home workspace. */
export function readProfile(account: string, user: SlackUser, home: Home): Profile {
  const { real_name: realName, email } = user.profile ?? {};
  return {
    name: realName ?? user.name ?? account,
    standing: standingOf(account, user, home),
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    email: email === undefined || email === '' ? null : email,
    // Slack tells it to some apps only; where it does not, there is nothing against the address.
    emailConfirmed: user.is_email_confirmed !== false,
    timeZone: user.tz !== undefined && isTimeZone(user.tz) ? user.tz : null,
    refused: null,
  };
}

/** What is known of an account of which Slack tells nothing. */
export function untoldProfile(account: string, refused: string): Profile {
  return {
    ...{ name: account, standing: null, isGuest: false },
    ...{ email: null, emailConfirmed: false, timeZone: null, refused },
  };
}

function standingOf(account: string, user: SlackUser, home: Home): Standing {
  const bot = user.is_bot === true || user.is_workflow_bot === true || user.is_connector_bot === true;
  if (bot || account === SLACKBOT) return 'bot';
  if (user.deleted === true) return 'deactivated';
  const enterprise = user.enterprise_user?.enterprise_id ?? user.enterprise_id;
  const near =
    (home.team !== null && user.team_id === home.team) ||
    (home.enterprise !== null && enterprise === home.enterprise);
  // A stranger is somebody of another workspace, wherever they are met.
  return near && user.is_stranger !== true ? 'ours' : 'foreign';
}
