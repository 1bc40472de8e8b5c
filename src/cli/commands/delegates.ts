import { unmistakableName } from '../../api/people/logins.ts';
import { type DelegationPermissions, EVERYONE } from '../../model/delegation.ts';
import { type AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { createCommand, printable } from '../cli-command.ts';
import {
  type Known,
  knownViewerId,
  listWords,
  type Viewer,
  viewerData,
  viewerName,
  viewersCalled,
  viewersOfEntry,
} from '../viewers.ts';

/** Lists who may see and change which delegations of the tracker in use, or sets it. */
export const delegates = createCommand({
  name: 'delegates',
  usage: 'delegates [--view LIST] [--view-all LIST] [--edit-all LIST]',
  summary: 'show who can view their own delegations, view all, or edit all, or change it',
  details:
    'LIST is everyone, none, or users and groups (bob,web-team) that replace the list; with a sign before every name (+bob,-carl) it adds and removes. user:NAME is the holder of a token that the tracker does not know.',
  options: {
    '--view LIST': 'who can view their own',
    '--view-all LIST': 'who can view all',
    '--edit-all LIST': 'who can edit all',
    '--json':
      'print JSON: { tracker, view, viewAll, editAll }, each list an array of { id, kind, name, members }; [] is no one, the id everyone all',
  },
  examples: ['delegates', 'delegates --view-all bob --edit-all +carl,-web-team'],
  async run(typed, { delegationAccess, people, tracker, out, json }) {
    const known = { groups: await delegationAccess.groups(), users: await people.users() };
    const current = await delegationAccess.permissions();
    const changes = {
      ...listed('view', '--view', typed.value('view'), current, known),
      ...listed('viewAll', '--view-all', typed.value('view-all'), current, known),
      ...listed('editAll', '--edit-all', typed.value('edit-all'), current, known),
    };
    const permissions = { ...current, ...changes };
    if (Object.keys(changes).length > 0) await delegationAccess.putPermissions(permissions);
    const data = (list: readonly string[]) => list.map((id) => viewerData(id, known));
    const { name, title } = await tracker();
    const { view, viewAll, editAll } = permissions;
    json({ tracker: name, view: data(view), viewAll: data(viewAll), editAll: data(editAll) });
    out(`Delegations of ${title}; its admins can view and edit all.`);
    for (const line of linesOf(permissions, known)) out(printable(line));
    return 0;
  },
});

/** One list of the permissions as an option says it; nothing where it says nothing. */
function listed(
  permission: keyof DelegationPermissions,
  option: string,
  text: string | undefined,
  current: DelegationPermissions,
  known: Known,
): Partial<DelegationPermissions> {
  if (text === undefined) return {};
  return { [permission]: permittedList(option, text, current[permission], known) };
}

function linesOf({ view, viewAll, editAll }: DelegationPermissions, known: Known): string[] {
  const names = (list: readonly string[]) =>
    list.length === 0
      ? NO_ONE
      : list.map((id) => (id === EVERYONE ? id : viewerName(id, known, 'not known there'))).join(', ');
  return [
    `View their own  ${names(view)}`,
    `View all        ${names(viewAll)}`,
    `Edit all        ${names(editAll)}`,
  ];
}

/** The word for an empty list. */
const NO_ONE = 'none';

/**
 * The list of permitted people and groups of an option: a new one, or, where its names have signs, the current list
 * with additions and removals. A name that the tracker does not know is refused if it knows any people, unless it is
 * marked as the holder of a token (`user:NAME`); it can always be removed.
 */
function permittedList(
  option: string,
  text: string,
  current: readonly string[],
  known: Known,
): readonly string[] {
  const words = listWords(option, text);
  const signed = words.filter((word) => /^[+-]/.test(word));
  if (signed.length === 0) return newList(option, text, words, known);
  if (signed.length === words.length) {
    return words.reduce((list, word) => changed(option, word, list, known), current);
  }
  throw badRequest(
    `${option} '${text}' has names with a sign and names without. Try: + or - before each, or before none.`,
  );
}

function newList(option: string, text: string, words: readonly string[], known: Known): readonly string[] {
  const alone = words.map((word) => word.toLowerCase()).find(isAll);
  if (alone === undefined)
    return words.reduce<readonly string[]>(
      (list, word) => withOne(permittedId(option, word, known), list, known),
      [],
    );
  if (words.length === 1) return alone === EVERYONE ? [EVERYONE] : [];
  throw badRequest(
    `${option} '${text}' says ${alone} and others. Try: ${alone} alone, or ids of users and groups.`,
  );
}

/** The list with one more entry (`+bob`) or without one (`-bob`). */
function changed(option: string, word: string, list: readonly string[], known: Known): readonly string[] {
  const name = word.slice(1).trim();
  if (name === '')
    throw badRequestAs('missing-value', `${option} '${word}' has no name. Try: for example ${word}bob.`);
  if (isAll(name.toLowerCase())) {
    throw badRequest(`${option} '${word}' has a sign. Try: ${name.toLowerCase()} alone, without one.`);
  }
  if (word.startsWith('-')) return without(option, name, list, known);
  const id = permittedId(option, name, known);
  // Everyone includes any other entry.
  return list.includes(EVERYONE) ? list : withOne(id, list, known);
}

/** Each person is on a list once, however they were written down. */
function withOne(id: string, list: readonly string[], known: Known): readonly string[] {
  const viewers = viewersOfEntry(id, known);
  return list.some((one) => means(one, id, viewers, known)) ? list : [...list, id];
}

function without(option: string, name: string, list: readonly string[], known: Known): readonly string[] {
  const viewers = viewersCalled(name, known);
  const left = list.filter((one) => !means(one, name, viewers, known));
  if (left.length < list.length) return left;
  throw notOnList(option, name, list, known);
}

/** Returns true where a current entry means exactly these viewers; one that means none is compared as text. */
function means(entry: string, text: string, viewers: readonly Viewer[], known: Known): boolean {
  const current = viewersOfEntry(entry, known);
  if (current.length === 0) return entry === text;
  return (
    current.length === viewers.length &&
    current.every(({ kind, id }) => viewers.some((one) => one.kind === kind && one.id === id))
  );
}

function notOnList(option: string, name: string, list: readonly string[], known: Known): AppError {
  const [first = NO_ONE] = list;
  const allowed =
    first === EVERYONE || first === NO_ONE
      ? `a new list without signs, for it says ${first} now`
      : `one of those it names, ${list.map((one) => typedAs(one, known)).join(', ')}`;
  return badRequest(`${option} '-${name}' is not on the list. Try: ${allowed}.`);
}

/** A current entry as it is read back: the id of a user may be what another is called by today. */
function typedAs(entry: string, known: Known): string {
  const [viewer, ...others] = viewersOfEntry(entry, known);
  const user = viewer?.kind === 'user' && others.length === 0 ? known.users.get(viewer.id) : undefined;
  if (user === undefined) return entry;
  const name = unmistakableName(user, known.users) ?? user.id;
  return entry.startsWith('user:') ? `user:${name}` : name;
}

function permittedId(option: string, word: string, known: Known): string {
  const id = knownViewerId(option, word, known);
  if (id !== null) return id;
  // The holder of a token, such as a program, need not be known.
  if (known.users.size === 0 || /^user:\S+$/.test(word)) return word;
  throw badRequest(
    `${option} '${word}' is not known to the tracker. Try: users by id, login, address or full name, groups by id or name, user:NAME for the holder of a token that the tracker does not know.`,
  );
}

function isAll(word: string): boolean {
  return word === EVERYONE || word === NO_ONE;
}
