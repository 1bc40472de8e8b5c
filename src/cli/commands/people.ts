import type { PeopleApi } from '../../api/people.ts';
import { badRequest } from '../../model/error.ts';
import type { PersonLink } from '../../model/person-link.ts';
import { accountOf } from '../account-of.ts';
import type { Command } from '../command.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';
import { trackerInUse } from '../tracker-in-use.ts';
import { viewerId } from '../viewer-ids.ts';

/** Lists which Slack accounts are linked to which users of the tracker in use, or links one, or takes a link away. */
export const people: Command = {
  name: 'people',
  usage: 'people [--link ACCOUNT --to USER | --unlink ACCOUNT]',
  summary:
    'list which Slack accounts are which users, say it of one, or take it back; ACCOUNT is a member ID, USER an id, login, address or full name',
  async run(args, parts) {
    const { values } = readOptions(args, people.usage, {
      link: { type: 'string' },
      to: { type: 'string' },
      unlink: { type: 'string' },
    });
    const { link, to, unlink } = values;
    if (link !== undefined && unlink !== undefined) {
      throw badRequest('--link and --unlink exclude each other.');
    }
    if (link === undefined && to !== undefined) {
      throw badRequest(`--to needs --link ACCOUNT; allowed: ${people.usage}.`);
    }
    if (link !== undefined) await linkAccount(link, to, parts.people);
    if (unlink !== undefined) await unlinkAccount(unlink, parts.people);
    parts.out(`Slack accounts linked to users of ${trackerInUse(await parts.tracker())}:`);
    for (const line of await linesOf(parts.people)) parts.out(printable(line));
    return 0;
  },
};

async function linkAccount(link: string, to: string | undefined, register: PeopleApi): Promise<void> {
  const account = accountOf('--link', link);
  const user = to?.trim();
  if (!user) {
    throw badRequest(
      `--to is required: whose account is ${account}? For example: people --link ${account} --to ada.`,
    );
  }
  const id = viewerId('--to', user, { groups: [], users: await register.users() });
  await register.link(account, id, 'command line');
}

async function unlinkAccount(unlink: string, register: PeopleApi): Promise<void> {
  const account = accountOf('--unlink', unlink);
  if (!(await register.unlink(account))) {
    throw badRequest(`--unlink '${account}' is not linked; allowed: an account that people lists.`);
  }
}

async function linesOf(register: PeopleApi): Promise<string[]> {
  const dormant = await register.dormantLinks();
  const links = [...(await register.links()), ...dormant];
  if (links.length === 0) return ['None: accounts are matched by their e-mail addresses.'];
  const users = await register.users();
  const nameOf = (user: string) => `${user} (${users.get(user)?.name ?? 'not known there'})`;
  const accountWidth = Math.max(...links.map(({ account }) => account.length));
  const nameWidth = Math.max(...links.map(({ user }) => nameOf(user).length));
  return links.map((link) => {
    const { account, user, at } = link;
    const since = new Date(at).toISOString();
    const off = dormant.includes(link) ? '  does not hold: the token is switched off' : '';
    return `${account.padEnd(accountWidth)}  ${nameOf(user).padEnd(nameWidth)}  by ${sourceOf(link)}  since ${since}${off}`;
  });
}

/** Whoever proved it themselves is named as the user already; the token is what can be switched off. */
function sourceOf({ by, proof }: PersonLink): string {
  return proof === null ? by : `token ${proof.token}${proof.admin ? ' (admin)' : ''}`;
}
