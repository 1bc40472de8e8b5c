import type { PeopleApi } from '../../api/people/create-people.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import { type CliParts, createCommand, isoTime, type JsonOutput, printable } from '../cli-command.ts';
import { slackAccount, viewerId } from '../viewers.ts';

/** The most people that are listed at once. */
const MAX_LISTED = 20;

/** Lists which Slack accounts are linked to which users of the tracker in use, or links one, or takes a link away; or finds such users. */
export const people = createCommand({
  name: 'people',
  usage: 'people [--find NAME | --link ACCOUNT --to USER | --unlink ACCOUNT]',
  summary: 'list the Slack accounts of Jira users, link or unlink one, or find a user',
  details: 'The exit code is 1 if --find finds no one.',
  options: {
    '--find NAME': `list up to ${MAX_LISTED} users with NAME in their id, login, name or email address`,
    '--link ACCOUNT': 'link a Slack account, by its member ID such as U012AB3CD',
    '--to USER': 'with --link: the id, login, email address or full name of its user',
    '--unlink ACCOUNT': 'unlink a Slack account',
    '--json':
      'print JSON: { tracker, links: [{ account, user, name, by, token, admin, since, valid }] }; with --find { tracker, users: [{ id, name, login, email }], more }',
  },
  examples: ['people', 'people --find ada', 'people --link U012AB3CD --to ada'],
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
    const links = await readLinks(parts.people);
    const tracker = await parts.tracker();
    parts.json({ tracker: tracker.name, links });
    parts.out(`Slack accounts linked to users of ${tracker.title}:`);
    for (const line of linesOf(links)) parts.out(printable(line));
    return 0;
  },
});

/** The exit code is 1 where no user is found, as that of other search programs. */
async function printFound(
  text: string,
  { people: register, tracker, out, json }: CliParts & JsonOutput,
): Promise<number> {
  const name = text.trim();
  if (name === '')
    throw badRequestAs('missing-value', '--find is empty. Try: a part of an id, login, name or address.');
  const found = findPeople(name, await register.users());
  const users = found
    .slice(0, MAX_LISTED)
    .map(({ id, name, login = null, email = null }) => ({ id, name, login, email }));
  const more = found.length - users.length;
  const inUse = await tracker();
  json({ tracker: inUse.name, users, more });
  out(`Users of ${inUse.title} (id, name, login, address):`);
  const widths = (['id', 'name', 'login'] as const).map((column) =>
    Math.max(0, ...users.map((user) => (user[column] ?? '').length)),
  );
  for (const { id, name, login, email } of users) {
    const cells = [id, name, login ?? '', email ?? ''].map((cell, column) =>
      cell.padEnd(widths[column] ?? 0),
    );
    out(printable(cells.join('  ').trimEnd()));
  }
  if (more > 0) out(`… and ${more} more: type more of the name.`);
  if (users.length === 0) out(printable(`No known user has '${name}' in any of these.`));
  return users.length === 0 ? 1 : 0;
}

async function linkAccount(link: string, to: string | undefined, register: PeopleApi): Promise<void> {
  const account = slackAccount('--link', link);
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
  const account = slackAccount('--unlink', unlink);
  if (!(await register.unlink(account))) {
    throw badRequestAs(
      'unknown-name',
      `--unlink '${account}' is not linked. Try: an account that people lists.`,
    );
  }
}

async function readLinks(register: PeopleApi) {
  const dormant = await register.dormantLinks();
  const users = await register.users();
  return [...(await register.links()), ...dormant].map((link) => ({
    account: link.account,
    user: link.user,
    name: users.get(link.user)?.name ?? null,
    by: link.by,
    token: link.proof?.token ?? null,
    admin: link.proof?.admin ?? false,
    since: isoTime(link.at),
    valid: !dormant.includes(link),
  }));
}

function linesOf(links: Awaited<ReturnType<typeof readLinks>>): string[] {
  if (links.length === 0) return ['None: accounts are matched by their email addresses.'];
  const nameOf = ({ user, name }: (typeof links)[number]) => `${user} (${name ?? 'not known there'})`;
  const accountWidth = Math.max(...links.map(({ account }) => account.length));
  const nameWidth = Math.max(...links.map((link) => nameOf(link).length));
  return links.map((link) => {
    const { account, by, token, admin, since, valid } = link;
    // A person who proved it themselves is named as the user already; the token is what can be turned off.
    const source = token === null ? by : `token ${token}${admin ? ' (admin)' : ''}`;
    const off = valid ? '' : '  not valid: the token is switched off';
    return `${account.padEnd(accountWidth)}  ${nameOf(link).padEnd(nameWidth)}  by ${source}  since ${since}${off}`;
  });
}

/** Everyone in whose id, login, name or address a text occurs, without regard to case. */
function findPeople(text: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = foldedName(text);
  return [...users.values()]
    .filter(({ id, login, name, email }) =>
      [id, login, name, email].some((one) => one !== undefined && foldedName(one).includes(wanted)),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
