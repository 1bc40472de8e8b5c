import type { Sprint, Version } from '../../model/directory.ts';
import type { FieldValue, Instant, StatusCategory } from '../../model/issue.ts';
import { compareIds, compareText } from '../../model/issues/ids-and-names.ts';
import { observedIn } from './field-contents.ts';
import { checkArguments, functionCalled, writtenValue } from './functions.ts';
import type { Compilation } from './jql.ts';
import { type CallOperand, pieceError, unknownWordError, type Word } from './query-tree.ts';
import {
  byName,
  holds,
  idsFor,
  itemId,
  type NonEmptyOperand,
  nameAll,
  type Test,
  testThen,
  type Values,
} from './values.ts';

/** A field whose values have names, and the values that are known beside those of issues. */
interface NamedField {
  readonly title: string;
  readonly fields: readonly string[];
  readonly listed?: Iterable<FieldValue>;
}

/** Values people call by name or id, such as issue types. An unknown word is refused: it may be a typo. */
export function namedValues(field: NamedField, compilation: Compilation): Values {
  const ids = knownIds(field, compilation);
  const { today, former } = namingsOf(field, compilation);
  return {
    equal(operand, _, isThen) {
      const word = writtenValue(operand, field.title, compilation);
      return (isThen ? testThen(word, today, former()) : null) ?? isOneOf(ids(word));
    },
    sortKey: byName,
  };
}

/** Looks up the ids of a word among those a field is known to have. */
function knownIds(field: NamedField, compilation: Compilation): (word: Word) => ReadonlySet<string> {
  const { today, former } = namingsOf(field, compilation);
  const { title } = field;
  return (word) => {
    const ids = idsFor(word, today, former());
    if (ids !== null) return ids;
    const names = today.flatMap((naming) => naming.names);
    throw unknownWordError(compilation.name, word, {
      kind: title,
      what: `a value of ${title} that is known here`,
      allowed: { names, none: `${title} has no values here` },
    });
  };
}

/** The names of today, and a function for those that only changes mention. */
function namingsOf({ fields, listed = [] }: NamedField, compilation: Compilation) {
  const observed = fields.map((field) => observedIn(field, compilation));
  return {
    today: [nameAll(listed), ...observed.map(({ today }) => today)],
    former: () => observed.map(({ former }) => former),
  };
}

/** A test for the values with one of these ids. */
export function isOneOf(ids: ReadonlySet<string>): Test {
  return (item) => ids.has(itemId(item));
}

/** Resolutions by name or id; as in Jira, `Unresolved` is another word for EMPTY. */
export function resolutionValues(compilation: Compilation): Values {
  return {
    ...namedValues({ title: 'resolution', fields: ['resolution'] }, compilation),
    meansEmpty: (operand) => operand.kind === 'value' && operand.text.trim().toLowerCase() === 'unresolved',
  };
}

/**
 * Priorities by name or id. Trackers number them from the most important one on, so `priority > Medium` asks for
 * smaller ids. Of a name that several share, any may be the one compared with.
 */
export function priorityValues(compilation: Compilation): Values {
  const field = { title: 'priority', fields: ['priority'] };
  const ids = knownIds(field, compilation);
  return {
    ...namedValues(field, compilation),
    compare: (sign, operand) => {
      if (operand.kind === 'call')
        throw pieceError(compilation.name, operand, 'is not a priority. Try: its name or its id.');
      const wanted = [...ids(operand)];
      return (item) => wanted.some((id) => holds(sign, compareIds(id, itemId(item))));
    },
    sortKey: (item) => sortable(itemId(item)),
    descending: true,
  };
}

/** Ascending is from the least important one on, so the number counts downwards. */
function sortable(id: string): number {
  return /^\d+$/.test(id) ? -Number(id) : Number.NEGATIVE_INFINITY;
}

const SUB_TASKS = 'subTaskIssueTypes';

/**
 * Issue types by name or id, and `standardIssueTypes()` and `subTaskIssueTypes()`. Of a type that no export says it of,
 * it is unknown which of the two it is.
 */
export function issueTypeValues(compilation: Compilation): Values {
  const named = namedValues({ title: 'issuetype', fields: ['issuetype'] }, compilation);
  const natures = new Map(compilation.world.directory.issueTypes.map(({ id, subtask }) => [id, subtask]));
  return {
    ...named,
    equal(operand, inList, isThen) {
      if (operand.kind === 'value') return named.equal(operand, inList, isThen);
      const taken = ['standardIssueTypes', SUB_TASKS];
      const called = functionCalled(operand, taken, { compilation, title: 'issuetype', inList });
      checkArguments(operand, compilation, 0);
      const wanted = called === SUB_TASKS.toLowerCase();
      return (item) => {
        const nature = natures.get(itemId(item));
        return nature === undefined ? null : nature === wanted;
      };
    },
  };
}

const statesByFunction: Readonly<Record<string, Sprint['state']>> = {
  opensprints: 'active',
  closedsprints: 'closed',
  futuresprints: 'future',
};

/** Sprints by name or id, and `openSprints()`, `closedSprints()`, `futureSprints()` as they were then. */
export function sprintValues(fields: readonly string[], compilation: Compilation): Values {
  const { world } = compilation;
  const { sprints } = world.directory;
  const ids = knownIds({ title: 'sprint', fields, listed: sprints }, compilation);
  return {
    equal: (operand, inList) => {
      if (operand.kind === 'value') return isOneOf(ids(operand));
      const taken = ['openSprints', 'closedSprints', 'futureSprints'];
      const called = functionCalled(operand, taken, { compilation, title: 'sprint', inList });
      checkArguments(operand, compilation, 0);
      const state = statesByFunction[called];
      return isOneOf(new Set(sprints.filter((one) => stateAt(one, world.now) === state).map(({ id }) => id)));
    },
    sortKey: byName,
  };
}

/** The state is that of today; the instants beside it show which one it had at an earlier instant. */
function stateAt({ state, start, completed }: Sprint, now: Instant): Sprint['state'] {
  if (state === 'future') return 'future';
  if (start !== null && start > now) return 'future';
  return state === 'closed' && (completed === null || completed <= now) ? 'closed' : 'active';
}

/** Jira's own keys and ids of the categories, which queries may use instead of the names. */
const categories: ReadonlyMap<string, StatusCategory> = new Map(
  Object.entries({
    'to do': 'To Do',
    new: 'To Do',
    2: 'To Do',
    'in progress': 'In Progress',
    indeterminate: 'In Progress',
    4: 'In Progress',
    done: 'Done',
    3: 'Done',
    undefined: 'Undefined',
    'no category': 'Undefined',
    1: 'Undefined',
  } as const),
);

/** Categories of statuses by name, key or id. */
export function categoryValues(compilation: Compilation): Values {
  return {
    equal: (operand) => {
      const { text } = writtenValue(operand, 'statusCategory', compilation);
      const category = categories.get(text.trim().toLowerCase());
      if (category === undefined) {
        const problem = 'is not a status category. Try: To Do, In Progress, Done, Undefined.';
        throw pieceError(compilation.name, operand, problem);
      }
      return (item) => item === category;
    },
    sortKey: byName,
  };
}

/** Labels. Anybody may coin one, so any word is allowed; case does not matter. */
export function labelValues(compilation: Compilation): Values {
  return {
    equal: (operand) => {
      const wanted = writtenValue(operand, 'labels', compilation).text.trim().toLowerCase();
      return (item) => itemId(item).toLowerCase() === wanted;
    },
    sortKey: byName,
  };
}

/** People: by id, name or address, `currentUser()` and `membersOf(group)`. */
export function userValues(compilation: Compilation, title: string, field: string): Values {
  const ids = userIds(compilation, title, [field]);
  return {
    equal(operand, inList, isThen) {
      const { today, former } = peopleNamed(compilation, [field]);
      const then = isThen && operand.kind === 'value' ? testThen(operand, today, former) : null;
      return then ?? isOneOf(ids(operand, inList));
    },
    sortKey: byName,
  };
}

/** The ids of the people that an operand names. Known are the tracker's users and those that issues mention. */
export function userIds(
  compilation: Compilation,
  title: string,
  fields: readonly string[] = [],
): (operand: NonEmptyOperand, inList: boolean) => ReadonlySet<string> {
  const { world, name } = compilation;
  const named = (word: Word): ReadonlySet<string> => {
    const { today, former } = peopleNamed(compilation, fields);
    const ids = idsFor(word, today, former);
    if (ids !== null) return ids;
    throw unknownWordError(name, word, {
      kind: title,
      what: 'a user who is known here',
      allowed: 'the name, the id or the address of a user',
    });
  };
  return (operand, inList) => {
    if (operand.kind === 'value') return named(operand);
    const called = functionCalled(operand, ['currentUser', 'membersOf'], { compilation, title, inList });
    if (called === 'membersof') return membersOf(operand, compilation);
    checkArguments(operand, compilation, 0);
    compilation.personal.add(called);
    return new Set([world.principal]);
  };
}

function peopleNamed(compilation: Compilation, fields: readonly string[]) {
  const { world, lookedUp } = compilation;
  lookedUp.users ??= nameAll(
    world.users.values().flatMap(({ id, name, email = name }) =>
      email === name
        ? [{ id, name }]
        : [
            { id, name },
            { id, name: email },
          ],
    ),
  );
  const observed = [...new Set([...fields, 'assignee', 'reporter', 'creator'])].map((one) =>
    observedIn(one, compilation),
  );
  return {
    today: [lookedUp.users, ...observed.map(({ today }) => today)],
    former: [...observed.map(({ former }) => former), world.known.authors()],
  };
}

function membersOf(call: CallOperand, compilation: Compilation): ReadonlySet<string> {
  checkArguments(call, compilation, 1);
  const { groups } = compilation.world.directory;
  const members = new Set<string>();
  for (const word of call.args) {
    const ids = idsFor(word, [nameAll(groups)]);
    if (ids === null) {
      const names = groups.map((group) => group.name);
      throw unknownWordError(compilation.name, word, {
        kind: 'group',
        what: 'a group that is known here',
        // The names of groups are listed only for administrators.
        allowed:
          groups.length > 0 && !compilation.world.admin
            ? 'ids and names of groups'
            : { names, none: 'no groups are known' },
      });
    }
    for (const group of groups)
      if (ids.has(group.id)) for (const member of group.members) members.add(member);
  }
  return members;
}

/** The keys of the projects that a word stands for. Known are those with issues the principal may see. */
function projectKeys(word: Word, { world, name }: Compilation): ReadonlySet<string> {
  const projects = world.known.projects();
  const keys = idsFor(word, [projects.byKey], [projects.named]);
  if (keys !== null) return keys;
  throw unknownWordError(name, word, {
    kind: 'project',
    what: 'a project that is known here',
    allowed: { names: projects.byKey.names, none: 'there are no projects here' },
  });
}

/** Projects by key, name or id; their items are the keys. */
export function projectValues(compilation: Compilation): Values {
  return {
    equal: (operand) => isOneOf(projectKeys(writtenValue(operand, 'project', compilation), compilation)),
    sortKey: byName,
  };
}

const LATEST = 'latestReleasedVersion';
const EARLIEST = 'earliestUnreleasedVersion';
const RELEASED = 'releasedVersions';
const functions = [RELEASED, 'unreleasedVersions', LATEST, EARLIEST];

/** More projects than people write into one function. */
const MAX_PROJECTS = 100;

/**
 * Versions by name or id, and those that are released, or not yet, as of today. As in Jira, archived versions are among
 * them, and none of them is the latest or the earliest one. Of a version that nothing says it of, it is unknown.
 */
export function versionValues(compilation: Compilation, title: string, field: string): Values {
  const named = namedValues({ title, fields: [field] }, compilation);
  return {
    ...named,
    equal(operand, inList, isThen) {
      if (operand.kind === 'value') return named.equal(operand, inList, isThen);
      const called = functionCalled(operand, functions, { compilation, title, inList });
      const isSingle = [LATEST, EARLIEST].some((one) => one.toLowerCase() === called);
      checkArguments(operand, compilation, isSingle ? 1 : 0, isSingle ? 1 : MAX_PROJECTS);
      const released = [LATEST, RELEASED].some((one) => one.toLowerCase() === called);
      const versions = versionsOf(operand, compilation).filter((one) => one.released === released);
      const ofProjects = Map.groupBy(versions, ({ project }) => project).values();
      const chosen = isSingle ? [...ofProjects].flatMap((some) => nextOf(some, released)) : versions;
      const wanted = new Set(chosen.map(({ id }) => id));
      const known = new Set(compilation.world.directory.versions.map(({ id }) => id));
      return (item) => (known.has(itemId(item)) ? wanted.has(itemId(item)) : null);
    },
  };
}

/** The versions of the projects that a function names, or of all projects that the user can see. */
function versionsOf(call: CallOperand, compilation: Compilation): readonly Version[] {
  const { world, name } = compilation;
  const keys =
    call.args.length === 0
      ? [...world.known.projects().byKey.byId.keys()]
      : call.args.flatMap((word) => [...projectKeys(word, compilation)]);
  const projects = new Set(keys.map((key) => key.toUpperCase()));
  const versions = world.directory.versions.filter(({ project }) => projects.has(project));
  if (versions.length > 0) return versions;
  const where = call.args.length === 0 ? 'here' : `of ${call.args.map(({ text }) => text).join(', ')}`;
  throw pieceError(
    name,
    call.called,
    `is not supported here: no version ${where} says whether it is released. Try: versions by name.`,
  );
}

/**
 * The released version that comes last, or the unreleased one that comes first: in the project's own order, or by release
 * date where only issues mention the versions, which do not say that order.
 */
function nextOf(versions: readonly Version[], released: boolean): readonly Version[] {
  const candidates = versions.filter(({ archived }) => !archived);
  const areListed = candidates.every(({ place }) => place !== undefined);
  // Without a date a version is taken neither for the latest release nor for the next one.
  const dayOf = ({ releaseDate }: Version) => releaseDate ?? (released ? '' : '9999');
  const ordered = candidates.toSorted((a, b) => {
    if (areListed) return (a.place ?? 0) - (b.place ?? 0);
    return compareText(dayOf(a), dayOf(b)) || compareIds(a.id, b.id);
  });
  return released ? ordered.slice(-1) : ordered.slice(0, 1);
}
