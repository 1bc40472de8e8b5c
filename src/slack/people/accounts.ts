import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';
import { type Home, type Profile, readProfile, untoldProfile } from './profile.ts';
import { isSameEmail } from './same-email.ts';
import { noScope, readEmail } from './why-nobody.ts';

/** How long what Slack told of somebody is believed. */
const KEPT_MS = 5 * millisecondsInMinute;
const KEPT_ACCOUNTS = 1_000;
/** Slack advises no more in one page. */
const PAGE = 200;

/** The people of the workspace, as Slack tells them. A Slack that cannot be reached is `unavailable`. */
export interface Accounts {
  profileOf(account: string): Promise<Profile>;
  /**
   * The account of who works here with an e-mail address; null where there is none. `unavailable` as well where Slack
   * does not let us ask.
   */
  withEmail(email: string): Promise<string | null>;
  /** Everybody with this handle or name: anybody may call themselves as others do. Who is here hides who has gone. */
  called(name: string): Promise<readonly Called[]>;
}

/** An account by its handle, as in `@ada`. */
export interface Called {
  readonly account: string;
  readonly handle: string;
}

/** What is read of a member of the workspace to find them by name. */
interface Listed extends Called {
  readonly names: readonly string[];
  readonly isGone: boolean;
}

/** What accounts are asked for with. `shared`: where profiles are remembered; by default in this process. */
interface AccountsParts {
  readonly now: () => Instant;
  readonly log: Logger;
  readonly shared?: Backing;
}

/** Asks Slack, and remembers profiles for five minutes. */
export function createAccounts(web: WebClient, { now, log, shared }: AccountsParts): Accounts {
  const profiles = createNamespace<Profile>({
    name: 'slack-profile',
    // What was refused may be put right at any moment.
    ttlMs: ({ refused }) => (refused === null ? KEPT_MS : 0),
    most: KEPT_ACCOUNTS,
    now,
    backing: shared,
  });
  const lists = createNamespace<readonly Listed[]>({ name: 'slack-people', ttlMs: KEPT_MS, most: 1, now });
  const homes = createNamespace<Home>({ name: 'slack-home', ttlMs: null, most: 1, now });
  const homeOnce = () =>
    homes.getOrMake('', async () => {
      const { team_id: team = null, enterprise_id: enterprise = null } = await web.auth.test();
      return { team, enterprise };
    });

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

  async function listAll(): Promise<readonly Listed[]> {
    try {
      const everybody: Listed[] = [];
      let cursor = '';
      do {
        const page = await web.users.list({ limit: PAGE, ...(cursor === '' ? {} : { cursor }) });
        for (const { id, name, deleted, is_bot: isBot, profile = {} } of page.members ?? []) {
          if (id === undefined || name === undefined) continue;
          const names = [profile.display_name, profile.real_name].flatMap((one) =>
            one === undefined || one === '' ? [] : [foldedName(one)],
          );
          everybody.push({ account: id, handle: name, names, isGone: deleted === true || isBot === true });
        }
        cursor = page.response_metadata?.next_cursor ?? '';
      } while (cursor !== '');
      return everybody;
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) throw tryAgain(error);
      const why = refused === 'missing_scope' ? noScope : `Slack refused with the word ${refused}.`;
      throw new AppError('slack-unavailable', why, [], { cause: error });
    }
  }

  return {
    async called(name) {
      const wanted = foldedName(name);
      const everybody = await lists.getOrMake('', listAll);
      const found = everybody.filter(({ handle, names }) => [foldedName(handle), ...names].includes(wanted));
      const here = found.filter(({ isGone }) => !isGone);
      return here.length > 0 ? here : found;
    },

    profileOf: (account) => profiles.getOrMake(account, () => ask(account)),

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
        throw new AppError('slack-unavailable', why, [], { cause: error });
      }
    },
  };
}
