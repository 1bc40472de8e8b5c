import type { Version } from '../../model/directory.ts';
import { compareIds, compareText } from '../../model/issues/ids-and-names.ts';
import { checkArguments, functionCalled } from './functions.ts';
import type { Compilation } from './jql.ts';
import { namedValues } from './named-values.ts';
import { projectKeys } from './plain-values.ts';
import { type CallOperand, refuse } from './query-tree.ts';
import { idOf, type Test, type Values } from './values.ts';

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
export function versionValues(title: string, field: string, compilation: Compilation): Values {
  const named = namedValues({ title, fields: [field] }, compilation);
  const called = (call: CallOperand, inList: boolean): Test => {
    const name = functionCalled(call, functions, { compilation, title, inList });
    const isSingle = [LATEST, EARLIEST].some((one) => one.toLowerCase() === name);
    checkArguments(call, compilation, isSingle ? 1 : 0, isSingle ? 1 : MAX_PROJECTS);
    const released = [LATEST, RELEASED].some((one) => one.toLowerCase() === name);
    const versions = versionsOf(call, compilation).filter((one) => one.released === released);
    const ofProjects = Map.groupBy(versions, ({ project }) => project).values();
    const chosen = isSingle ? [...ofProjects].flatMap((some) => nextOf(some, released)) : versions;
    const wanted = new Set(chosen.map(({ id }) => id));
    const known = new Set(compilation.world.directory.versions.map(({ id }) => id));
    return (item) => (known.has(idOf(item)) ? wanted.has(idOf(item)) : null);
  };
  return {
    ...named,
    equal: (operand, inList, isThen) =>
      operand.kind === 'call' ? called(operand, inList) : named.equal(operand, inList, isThen),
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
  throw refuse(
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
