import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { remembered } from '../../formats/remembered.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';
import { type Home, type Profile, readProfile, untoldProfile } from './profile.ts';
import { isSameEmail } from './same-email.ts';
import { noScope, readEmail } from './why-nobody.ts';

/** How long what Slack told of somebody is believed. */
const KEPT_MS = 5 * 60_000;
const KEPT_ACCOUNTS = 1_000;

/** The people of the workspace, as Slack tells them. A Slack that cannot be reached is `unavailable`. */
export interface Accounts {
  profileOf(account: string): Promise<Profile>;
  /**
   * The account of who works here with an e-mail address; null where there is none. `unavailable` as well where Slack
   * does not let us ask.
   */
  withEmail(email: string): Promise<string | null>;
}

interface Kept {
  readonly until: Instant;
  readonly profile: Promise<Profile>;
}

/** Asks Slack, and remembers profiles for five minutes. */
export function createAccounts(web: WebClient, { now, log }: { now: () => Instant; log: Logger }): Accounts {
  const kept = new Map<string, Kept>();
  let home: Promise<Home> | null = null;

  function homeOnce(): Promise<Home> {
    home ??= web.auth.test().then(
      ({ team_id: team = null, enterprise_id: enterprise = null }) => ({ team, enterprise }),
      (error: unknown) => {
        home = null;
        throw error;
      },
    );
    return home;
  }

  async function ask(account: string): Promise<Profile> {
    try {
      const [{ user = {} }, here] = await Promise.all([web.users.info({ user: account }), homeOnce()]);
      return readProfile(account, user, here);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) throw tryAgain(error);
      return untoldProfile(account, refused);
    }
  }

  return {
    profileOf(account) {
      const known = kept.get(account);
      if (known !== undefined && known.until <= now()) kept.delete(account);
      const { profile } = remembered(kept, KEPT_ACCOUNTS, account, () => ({
        until: now() + KEPT_MS,
        profile: ask(account),
      }));
      // What failed, or was refused, may be put right at any moment.
      profile.then(
        ({ refused }) => refused !== null && kept.delete(account),
        () => kept.delete(account),
      );
      return profile;
    },

    async withEmail(email) {
      try {
        const [{ user }, here] = await Promise.all([web.users.lookupByEmail({ email }), homeOnce()]);
        if (user?.id === undefined) return null;
        const read = readEmail(readProfile(user.id, user, here));
        return 'email' in read && isSameEmail(read.email, email) ? user.id : null;
      } catch (error) {
        const refused = refusalOf(error);
        if (refused === 'users_not_found') return null;
        log.warn({ err: error }, 'Slack could not be asked for an account by its e-mail address');
        if (refused === null) throw tryAgain(error);
        const why = refused === 'missing_scope' ? noScope : `Slack refused with the word ${refused}.`;
        throw new AppError('unavailable', why, [], { cause: error });
      }
    },
  };
}
