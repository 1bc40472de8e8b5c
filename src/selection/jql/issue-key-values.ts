import { millisecondsInDay } from 'date-fns/constants';
import { ISSUE_ID } from '../../engine/columns/held-fields.ts';
import { NO, YES } from '../../engine/columns/row-predicates.ts';
import type { AppError } from '../../model/error.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import { fieldIdOf } from '../../model/issues/issue-fields.ts';
import { elementsOf } from '../../model/issues/value-sets.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { readMoment } from './date-values.ts';
import { observedIn } from './field-contents.ts';
import { checkArguments, functionCalled, writtenValue } from './functions.ts';
import type { Compilation, Compiled, JqlWorld } from './jql.ts';
import { changeEnds, changesOfLoaded, truthsOfAuthors } from './loaded-histories.ts';
import { userIds } from './named-values.ts';
import { type CallOperand, pieceError, unknownWordError, type Word, type Written } from './query-tree.ts';
import {
  holds,
  type Item,
  idsFor,
  itemId,
  itemText,
  type NonEmptyOperand,
  nameAll,
  type Sign,
  type Values,
  type Window,
} from './values.ts';

/** Keys of issues, those they had before as well; greater and less compare the numbers of issues of the same project, as in Jira. */
export function issueKeyValues(compilation: Compilation): Values {
  const read = (operand: NonEmptyOperand): string => {
    const key = keyNamed(writtenValue(operand, 'key', compilation).text, compilation.world);
    if (key !== null) return key;
    throw unknownIssueError(operand, compilation);
  };
  const keys = (operand: NonEmptyOperand, inList: boolean): ReadonlySet<string> => {
    if (operand.kind === 'value') return new Set([read(operand)]);
    functionCalled(operand, [LINKED_ISSUES, UPDATED_BY], { compilation, title: 'key', inList });
    return linkedKeys(operand, compilation);
  };
  return {
    equal: (operand, inList) => {
      const wanted = keys(operand, inList);
      return (item) => wanted.has(itemText(item));
    },
    condition: (call, inList) => {
      if (call.called.text.toLowerCase() !== UPDATED_BY.toLowerCase()) return null;
      functionCalled(call, [UPDATED_BY], { compilation, title: 'key', inList });
      return updatedBy(call, compilation);
    },
    compare: (sign, operand) => {
      const [project, number] = keyParts(read(operand));
      return (item) => {
        const [itsProject, itsNumber] = keyParts(itemText(item));
        return itsProject === project && holds(sign, compareIds(itsNumber, number));
      };
    },
    plain: (sign, operand) => {
      const { columns, known } = compilation.world;
      if (sign === '=') {
        const rows = [...keys(operand, true)].flatMap((key) => known.rowsOfKey(key));
        return { kind: 'rows', rows: Uint32Array.from(rows).sort() };
      }
      const [project, number] = keyParts(read(operand));
      return {
        kind: 'keyNumber',
        projects: Uint8Array.from(columns.projectKeys, (one) => Number(one.toUpperCase() === project)),
        ...numbersThat(sign, number),
      };
    },
    sortKey: itemText,
  };
}

/** The whole numbers that come before or behind the number of a key, which may be written in another way. */
function numbersThat(sign: Sign, number: string): { readonly from: number; readonly until: number } {
  const bound = /^\d+$/.test(number) ? Number(number) : Number.POSITIVE_INFINITY;
  const itself = holds(sign, compareIds(String(bound), number));
  return sign === '<' || sign === '<='
    ? { from: 0, until: itself ? bound + 1 : bound }
    : { from: itself ? bound : bound + 1, until: Number.POSITIVE_INFINITY };
}

/** Parents by key or id: those of all issues, and those that any issue names as its parent. */
export function parentValues(compilation: Compilation, title: string, field: string): Values {
  return {
    equal: (operand) => {
      const word = writtenValue(operand, title, compilation);
      const { today, former, texts } = observedIn(field, compilation);
      const key = keyNamed(word.text, compilation.world);
      const named = [word.text.trim(), ...(key === null ? [] : [key])];
      const ids = new Set(named.flatMap((text) => [...(idsFor({ ...word, text }, [today], [former]) ?? [])]));
      const wanted = named.map((text) => text.toLowerCase());
      if (ids.size === 0 && key === null && ![...texts].some((one) => wanted.includes(one.toLowerCase()))) {
        throw unknownIssueError(operand, compilation);
      }
      return (item: Item) => ids.has(itemId(item)) || wanted.includes(itemId(item).toLowerCase());
    },
    sortKey: itemText,
  };
}

/** Project and number of a key. */
export function keyParts(key: string): readonly [project: string, number: string] {
  const dash = key.lastIndexOf('-');
  return [key.slice(0, dash), key.slice(dash + 1)];
}

/** The function of `issue in linkedIssues(WEB-1)`. */
const LINKED_ISSUES = 'linkedIssues';

/** The function of `issue in updatedBy(ada)`. */
const UPDATED_BY = 'updatedBy';

const LINKS = 'issuelinks';

/**
 * The key (upper case) of the issue here that has it, or had it before, or whose id in the tracker it is; null where
 * there is none.
 */
function keyNamed(text: string, { columns, known, formerKeys, hasColumn }: JqlWorld): string | null {
  const key = text.trim().toUpperCase();
  if (known.rowsOfKey(key).length > 0) return key;
  const now = formerKeys?.get(key);
  if (now !== undefined && known.rowsOfKey(now).length > 0) return now;
  if (!/^\d+$/.test(key) || columns.isTooLong(ISSUE_ID) || !hasColumn(ISSUE_ID)) return null;
  const [row] = known.rowsOfId(key);
  return row === undefined ? null : columns.keyOf(row).toUpperCase();
}

/** Refuses a word that is no issue here. Of files Dwell keeps no ids, because two may come from different sites. */
function unknownIssueError(
  word: Written & { readonly text?: string },
  { world, name }: Compilation,
): AppError {
  const isId = /^\d+$/.test(word.text?.trim() ?? '') && !world.known.haveIds();
  const why = isId ? ' Ids are kept with a connected Jira only, not of files.' : '';
  return pieceError(name, word, `is not an issue that is known here.${why} Try: the key of an issue.`);
}

/**
 * The keys (upper case) of the issues that an issue is linked to now, as the principal may read its links; with a second
 * argument, those the issue is linked to in these words, such as `blocks`.
 */
function linkedKeys(call: CallOperand, compilation: Compilation): ReadonlySet<string> {
  const { world, name } = compilation;
  checkArguments(call, compilation, 1, 2);
  const [issue, words] = call.args;
  const key = issue === undefined ? null : keyNamed(issue.text, world);
  if (issue === undefined || key === null) throw unknownIssueError(issue ?? call, compilation);
  world.onRead?.(LINKS);
  if (!world.known.fieldIds().has(LINKS))
    throw pieceError(name, call.called, 'is not supported here: no issue that you can see has links.');
  if (!world.hasColumn(LINKS)) return new Set();
  const { codes, values } = world.columns.field(LINKS);
  const redact = world.redact?.get(LINKS);
  const wanted = words === undefined ? null : knownWords(words, compilation);
  const links = world.known.rowsOfKey(key).flatMap((row) => {
    const content = values.at(codes[row] ?? 0) ?? null;
    return elementsOf(redact === undefined ? content : redact(content)).map(({ id }) => linkOf(id));
  });
  return new Set(
    links.filter((link) => wanted === null || link.words === wanted).map((link) => link.key.toUpperCase()),
  );
}

/** A link says how and to which issue: "is blocked by WEB-3". */
function linkOf(text: string): { readonly words: string; readonly key: string } {
  const at = text.lastIndexOf(' ');
  return { words: text.slice(0, Math.max(at, 0)).toLowerCase(), key: text.slice(at + 1) };
}

/** The words of links in lower case; words that no link has are refused. */
function knownWords(word: Word, compilation: Compilation): string {
  const wanted = word.text.trim().toLowerCase();
  const known = observedIn(LINKS, compilation).today.names.flatMap((text) => linkOf(text).words || []);
  if (known.includes(wanted)) return wanted;
  throw unknownWordError(compilation.name, word, {
    kind: 'link',
    what: 'how issues are linked here',
    allowed: {
      names: nameAll(known.map((name) => ({ id: name, name }))).names,
      none: 'no issues are linked',
    },
  });
}

/**
 * Returns true where people created an issue or changed a field of it, within days if these are named. Comments are not read, and
 * of a cut history a lost change may be theirs.
 */
function updatedBy(call: CallOperand, compilation: Compilation): Compiled {
  const { world } = compilation;
  checkArguments(call, compilation, 1, 3);
  const [user, from, until] = call.args;
  const people: ReadonlySet<string> =
    user === undefined ? new Set() : userIds(compilation, UPDATED_BY)({ kind: 'value', ...user }, true);
  const window: Window = {
    from: from === undefined ? Number.NEGATIVE_INFINITY : momentOf(from, compilation).from,
    until: Math.min(until === undefined ? Infinity : momentOf(until, compilation).until, world.now + 1),
  };
  if (from !== undefined && until !== undefined && window.from >= momentOf(until, compilation).until)
    throw pieceError(compilation.name, call, 'ends before it begins. Try: the earlier date first.');
  const isWithin = (at: number) => at >= window.from && at < window.until;
  return (loaded) => {
    if (loaded === null) return { kind: 'ask' };
    const ends = loaded.history('changes', ({ issue }) => changeEnds(issue, issue.changes, world.now));
    const by = truthsOfAuthors(ends, (user) => user !== null && people.has(user));
    const creation = loaded.predicate(({ issue }) => {
      const creator = fieldIdOf(issue, 'creator');
      return creator !== null && people.has(creator) && isWithin(issue.created) ? YES : NO;
    });
    const changes = { of: 'changes', before: null, after: null, by };
    return { kind: 'any', of: [creation, changesOfLoaded(loaded, changes, window, world.now)] };
  };
}

/** A date as the instants it stands for: a day is a whole one. */
function momentOf(word: Word, compilation: Compilation): Window {
  const { at, day, timed } = readMoment({ kind: 'value', ...word }, UPDATED_BY, compilation);
  const isDay = !timed && /^\d{4}[-/]/.test(word.text.trim());
  return { from: at, until: isDay ? instantOf(day + millisecondsInDay, compilation.world.timeZone) : at + 1 };
}
