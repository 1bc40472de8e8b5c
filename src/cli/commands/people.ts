import type { PeopleApi } from '../../api/people/people-api.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { PersonLink } from '../../model/chat.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { type CliParts, createCommand } from '../cli-command.ts';
import { printable, trackerInUse } from '../output-lines.ts';
import { accountOf, viewerId } from '../viewers.ts';

/** Lists which Slack accounts are linked to which users of the tracker in use, or links one, or takes a link away; or finds such users. */
export const people = createCommand({
  name: 'people',
  usage: 'people [--find NAME | --link ACCOUNT --to USER | --unlink ACCOUNT]',
  summary:
    'list which Slack accounts belong to which users, link one, or unlink it; ACCOUNT is a member ID, USER an id, login, address or full name; --find lists the users that have NAME in one of these',
  options: { find: 'value', link: 'value', to: 'value', unlink: 'value' },
  async run(typed, parts) {
    const [find, unlink] = [typed.value('find'), typed.value('unlink')];
    const [link, to] = [typed.value('link'), typed.value('to')];
    if (find !== undefined) {
      if ([link, to, unlink].some((one) => one !== undefined)) {
        throw badRequestAs('conflicting-values', `--find goes with no other option. Try: ${people.usage}.`);
      }
      return printFound(find, parts);
    }
    if (link !== undefined && unlink !== undefined) {
      throw badRequestAs('conflicting-values', '--link and --unlink cannot be used together.');
    }
    if (link === undefined && to !== undefined) {
      throw badRequest(`--to needs --link ACCOUNT. Try: ${people.usage}.`);
    }
    if (link !== undefined) await linkAccount(link, to, parts.people);
    if (unlink !== undefined) await unlinkAccount(unlink, parts.people);
    parts.out(`Slack accounts linked to users of ${trackerInUse(await parts.tracker())}:`);
    for (const line of await linesOf(parts.people)) parts.out(printable(line));
    return 0;
  },
});

/** The exit code is 1 where nobody is found, as of other programs that look for something. */
async function printFound(text: string, { people: register, tracker, out }: CliParts): Promise<number> {
  const name = text.trim();
  if (name === '')
    throw badRequestAs('missing-value', '--find is empty. Try: a part of an id, login, name or address.');
  const lines = findPeople(name, await register.users());
  out(`Users of ${trackerInUse(await tracker())} (id, name, login, address):`);
  for (const line of lines) out(printable(line));
  if (lines.length === 0) out(printable(`No known user has '${name}' in any of these.`));
  return lines.length === 0 ? 1 : 0;
}

async function linkAccount(link: string, to: string | undefined, register: PeopleApi): Promise<void> {
  const account = accountOf('--link', link);
  const user = to?.trim();
  if (!user) {
    throw badRequestAs(
      'missing-value',
      `--to is required: whose account is ${account}? For example: people --link ${account} --to ada.`,
    );
  }
  const id = viewerId('--to', user, { groups: [], users: await register.users() });
  await register.link(account, id, 'command line');
}

async function unlinkAccount(unlink: string, register: PeopleApi): Promise<void> {
  const account = accountOf('--unlink', unlink);
  if (!(await register.unlink(account))) {
    throw badRequestAs(
      'unknown-name',
      `--unlink '${account}' is not linked. Try: an account that people lists.`,
    );
  }
}

async function linesOf(register: PeopleApi): Promise<string[]> {
  const dormant = await register.dormantLinks();
  const links = [...(await register.links()), ...dormant];
  if (links.length === 0) return ['None: accounts are matched by their email addresses.'];
  const users = await register.users();
  const nameOf = (user: string) => `${user} (${users.get(user)?.name ?? 'not known there'})`;
  const accountWidth = Math.max(...links.map(({ account }) => account.length));
  const nameWidth = Math.max(...links.map(({ user }) => nameOf(user).length));
  return links.map((link) => {
    const { account, user, at } = link;
    const since = new Date(at).toISOString();
    const off = dormant.includes(link) ? '  not valid: the token is switched off' : '';
    return `${account.padEnd(accountWidth)}  ${nameOf(user).padEnd(nameWidth)}  by ${sourceOf(link)}  since ${since}${off}`;
  });
}

/** A person who proved it themselves is named as the user already; the token is what can be switched off. */
function sourceOf({ by, proof }: PersonLink): string {
  return proof === null ? by : `token ${proof.token}${proof.admin ? ' (admin)' : ''}`;
}

/** The most people that are listed at once. */
const MOST = 20;

/** Everybody in whose id, login, name or address a text occurs, without regard to case, in lines of columns. */
export function findPeople(text: string, users: ReadonlyMap<string, User>): readonly string[] {
  const wanted = foldedName(text);
  const found = [...users.values()]
    .filter(({ id, login, name, email }) =>
      [id, login, name, email].some((one) => one !== undefined && foldedName(one).includes(wanted)),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = found.slice(0, MOST).map(({ id, login, name, email }) => [id, name, login ?? '', email ?? '']);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return [
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...(found.length > MOST ? [`… and ${found.length - MOST} more: type more of the name.`] : []),
  ];
}
