import fc from 'fast-check';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import type { Directory } from '../../src/model/directory.ts';
import {
  type Blockers,
  defaultBlockers,
  type Flow,
  type ProjectFlow,
  type WorkKind,
} from '../../src/model/flow.ts';
import type { Change, FieldValue, Instant, Issue, Status } from '../../src/model/issue.ts';
import type { Principal, ReportRequest } from '../../src/model/request.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { anInstant } from '../support/arbitrary-issue.ts';
import { localReporting } from '../support/local-reporting.ts';
import { principalOf } from '../support/principal-of.ts';
import { anyRequest } from './any-request.ts';
import { anyWorld, calendars, fieldNames, groups, now, statusIds } from './any-world.ts';
import { valueAt } from './history.ts';
import type { DefinedQuestion } from './question.ts';

const categories = ['To Do', 'In Progress', 'In Progress', 'Done', 'Done'] as const;
const aStatus = (id: string, i: number): Status => ({
  ...{ id, name: `Status ${id}`, deleted: false },
  category: categories[i] ?? 'Done',
});
const statuses = statusIds.map(aStatus);

/** Those of a stage of their own come to no word of their category. */
const stages = (kinds: readonly ('queue' | 'active' | 'waiting' | 'done')[]) =>
  kinds.map((kind, i) => ({
    ...{ name: `Stage ${i}`, kind },
    statuses: statuses.slice(i, i + 1).map(({ id, name }) => ({ id, name })),
  }));

const someBlockers: fc.Arbitrary<Blockers> = fc.record({
  flag: fc.boolean(),
  statuses: fc
    .subarray(['1', '2', '3', '4'])
    .map((ids) => ids.map((id) => ({ id, name: `Status ${id}`.replace('1', 'one') }))),
  links: fc.boolean(),
});

const aFlow: fc.Arbitrary<Flow> = fc
  .record({ blockedBy: someBlockers, end: fc.constantFrom(2, 3), ofBugs: fc.option(fc.constantFrom(2, 3)) })
  .map(({ blockedBy, end, ofBugs }) => {
    const until = (last: number) => ({
      stages: stages(['queue', 'active', last === 2 ? 'done' : 'waiting', 'done']),
      ...{ start: 'Stage 1', end: `Stage ${last}`, pauses: false, target: null },
    });
    return {
      ...until(end),
      ...{ blockedBy, notCounted: { resolutions: [], issueTypes: [], subtasks: false } },
      variants: ofBugs === null ? [] : [{ ...until(ofBugs), issueTypes: ['bug'] }],
    };
  });

const flag = { id: '10019', name: 'Impediment' };

/** Instants at which something is so and not so in turns, from the creation on or from the first of them on. */
const someTurns = fc.record({
  isFirst: fc.boolean(),
  at: fc.uniqueArray(anInstant, { maxLength: 4 }).map((all) => all.toSorted((a, b) => a - b)),
});

const aLink = fc.record({
  words: fc.constantFrom('is blocked by', 'is blocked by', 'is blocked by', 'blocks', 'relates to'),
  to: fc.nat(5),
  turns: someTurns,
});

const aPart = fc.record({
  flags: fc.option(someTurns),
  links: fc.array(aLink, { maxLength: 3 }),
  project: fc.constantFrom('WEB', 'WEB', 'OPS', 'SEC'),
  isRestricted: fc.boolean(),
  by: fc.constantFrom('ada', '2', null),
});
type Part = typeof aPart extends fc.Arbitrary<infer Value> ? Value : never;

/** A person to whom the project SEC is closed, and issues with a level; an admin sees all. */
const principals = { admin: principalOf('ada', 'admin'), bob: principalOf('bob') };

/** Issues with flags, links to each other, and a flow or none. */
export const aBlockedWorld = fc
  .record({
    world: anyWorld(),
    parts: fc.array(aPart, { minLength: 6, maxLength: 6 }),
    flow: fc.option(aFlow, { freq: 2 }),
    isTyped: fc.boolean(),
  })
  .map(({ world, parts, flow, isTyped }) => {
    const keys = world.issues.map((_, i) => `${parts[i]?.project ?? 'WEB'}-${i + 1}`);
    const flagged = isTyped ? 'customfield_1' : 'customfield_2';
    const issues = world.issues.map((issue, i) => withBlockers(issue, i, { keys, part: parts[i], flagged }));
    const flows: readonly ProjectFlow[] =
      flow === null ? [] : [{ project: 'WEB', versions: [{ flow, at: 0, by: 'ada' }] }];
    return { ...world, issues, flow, flows, flagged };
  });
type BlockedIssues = typeof aBlockedWorld extends fc.Arbitrary<infer Value> ? Value : never;

function withBlockers(
  issue: Issue,
  i: number,
  {
    keys,
    part,
    flagged,
  }: { readonly keys: readonly string[]; readonly part: Part | undefined; readonly flagged: string },
): Issue {
  if (part === undefined) return issue;
  const changes: Change[] = [];
  const change = (field: string, at: Instant, from: FieldValue | null, to: FieldValue | null) =>
    changes.push({ entry: `b${changes.length}`, item: 0, at, field, from, to, by: part.by });
  const { flags, links } = part;
  let isFlagged = flags?.isFirst === true;
  for (const at of flags?.at ?? []) {
    change(flagged, at, isFlagged ? flag : null, isFlagged ? null : flag);
    isFlagged = !isFlagged;
  }
  const all = links.map(({ words, to, turns }) => ({ ...turns, text: `${words} ${keys[to % keys.length]}` }));
  const isAt = (at: Instant, { isFirst, at: turns }: { isFirst: boolean; at: readonly Instant[] }) =>
    turns.filter((turn) => turn <= at).length % 2 === (isFirst ? 0 : 1);
  const linksAt = (at: Instant): FieldValue | null => {
    const ids = [...new Set(all.flatMap((one) => (isAt(at, one) ? [one.text] : [])))].sort();
    const value = ids.join(', ');
    return value === '' ? null : { id: value, name: value };
  };
  for (const at of [...new Set(all.flatMap((one) => one.at))].toSorted((a, b) => a - b)) {
    const [from, to] = [linksAt(at - 1), linksAt(at)];
    if (from?.id !== to?.id) change('issuelinks', at, from, to);
  }
  const linked = linksAt(Number.POSITIVE_INFINITY)?.id.split(', ') ?? [];
  const fields: Issue['fields'] = {
    ...issue.fields,
    ...(flags === null ? {} : { [flagged]: isFlagged ? [flag] : null }),
    issuelinks: linked.map((id) => ({ id, name: id })),
    ...(part.isRestricted ? { security: { id: 'secret', name: 'Secret' } } : {}),
  };
  return {
    ...issue,
    key: keys[i] ?? issue.key,
    project: { id: part.project, name: `Project ${part.project}` },
    updated: changes.reduce((last, { at }) => Math.max(last, at), issue.updated),
    fields,
    changes: [...issue.changes, ...changes],
  };
}

/** A request about blocked time, of one of the principals; to some, not all names are known. */
export const aBlockedRequest = (reportType: string): fc.Arbitrary<ReportRequest> =>
  fc
    .record({
      one: anyRequest(reportType),
      isAdmin: fc.boolean(),
      within: fc.constantFrom<Pick<ReportRequest, 'linksWithin'>>(
        {},
        {},
        { linksWithin: ['WEB'] },
        { linksWithin: [] },
      ),
    })
    .map(({ one, isAdmin, within }) => ({
      ...{ ...one, ...within, historyFields: [], metrics: [], groups: null },
      ...(isAdmin ? {} : { principal: principals.bob, statuses: null, consolidated: [] }),
    }));

/** Whether a principal sees an issue. */
export function sees({ rights }: Principal, { key, fields }: Issue): boolean {
  return rights === 'admin' || (!key.startsWith('SEC-') && fields.security === undefined);
}

/** The reporting port over a world. */
export function reportingOver({ issues, users, credited, flows, flagged }: BlockedIssues) {
  // By its type, or by its name alone.
  const flagName = flagged === 'customfield_1' ? { name: 'Stop', flag: true } : { name: 'Markiert' };
  const fields = [...fieldNames, { id: flagged, ...flagName }];
  const access: Directory['access'] = [{ kind: 'project', id: 'SEC', viewers: ['eve'] }];
  const tracker: Tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'statuses', statuses, list: null };
      yield { kind: 'statuses', statuses, list: 'list' };
      yield { kind: 'users', users };
      yield { kind: 'directory', part: { fields, groups, access } };
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
  return localReporting(
    createMemoryMirror(tracker, () => now),
    () => now,
    { calendars, credited, flows },
  );
}

/** The kind of work that a status counts as; of a cut history it may be unknown which type the issue had then. */
export function kindIn(flow: Flow | null, issue: Issue, status: string, asOf: Instant): WorkKind {
  const own = issue.key.startsWith('WEB-') ? flow : null;
  const isBug = valueAt(issue, 'issuetype', asOf)?.name === 'Bug';
  const { stages: all = [], end } = (isBug ? own?.variants[0] : undefined) ?? own ?? { end: '' };
  const index = all.findIndex((stage) => stage.statuses.some(({ id }) => id === status));
  const category = statuses.find(({ id }) => id === status)?.category;
  if (index < 0) return category === 'To Do' ? 'queue' : category === 'Done' ? 'done' : 'active';
  if (index === 0) return 'queue';
  return index >= all.findIndex(({ name }) => name === end) ? 'done' : (all[index]?.kind ?? 'active');
}

/** The facts of a world that decide what blocked its issues. */
export function blockedIn({ issues, flow, flagged }: BlockedIssues): DefinedQuestion['blocked'] {
  const flowOf = ({ key }: Issue) => (key.startsWith('WEB-') ? flow : null);
  return {
    issues,
    flags: [flagged],
    blockedBy: (issue) => flowOf(issue)?.blockedBy ?? defaultBlockers,
    isDone: (issue, status, asOf) => kindIn(flow, issue, status, asOf) === 'done',
    counts: (issue, { principal, linksWithin }: ReportRequest) =>
      sees(principal, issue) &&
      (linksWithin === undefined ||
        (linksWithin.includes(issue.key.split('-')[0] ?? '') && issue.fields.security === undefined)),
  };
}
