import { compareIds } from '../../../issues/ids-and-names.ts';
import { projectKeyOf } from '../../../issues/issue-fields.ts';
import type { Aging, AgingIssue, DwellPercentile } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope } from '../../../model/permissions.ts';
import { type Asker, ask } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { isDecided, joinContents, mergeContents, noContents } from '../answer-provenance.ts';
import { type AgingWish, type OpenIssues, openIssues, type WaitingIssue } from './open-issues.ts';
import type { ProjectStays, UsualStays } from './usual-stays.ts';

/** What ages are told from. */
export interface AgingParts {
  readonly reporting: ReportingApi;
  readonly usualStays: UsualStays;
}

/** Ages, and what issues they are of (`told`) and what is usual is learnt from; null where nobody tells. */
export interface ToldAging {
  readonly aging: Aging;
  readonly told: AudienceScope | null;
  readonly usual: AudienceScope | null;
}

/** Open issues by how long they have been where they are, against what is usual there. */
export async function tellAging(
  wish: AgingWish,
  asker: Asker,
  asOf: Instant,
  parts: AgingParts,
): Promise<ToldAging> {
  const open = await openIssues(wish, asker, asOf, parts.reporting);
  return againstUsual(open, wish, asker, asOf, parts);
}

/** Open issues by age, held against nothing. */
export function agesAlone(open: OpenIssues): Aging {
  return agingOf(
    open,
    open.known.map((issue) => withUsual(issue, null)),
  );
}

/** Open issues against what is usual where they are, as of the instant they were counted at. */
export async function againstUsual(
  open: OpenIssues,
  { calendar }: Pick<AgingWish, 'calendar'>,
  asker: Asker,
  asOf: Instant,
  { reporting, usualStays }: AgingParts,
): Promise<ToldAging> {
  const projects = [...new Set(open.known.map(({ project }) => project))].sort();
  const stays = new Map<string, ProjectStays>();
  for (const project of projects) {
    stays.set(project, await usualStays(asker, project, calendar, asOf));
  }
  const aging = agingOf(
    open,
    open.known.map((issue) =>
      withUsual(issue, stays.get(issue.project)?.byStatus.get(issue.status.id) ?? null),
    ),
  );
  const told = await contentsOf(open, asker, asOf, reporting);
  // Where nobody can tell what is usual, nothing is told of what was looked at.
  const helpful = new Set(aging.issues.flatMap(({ project, usual }) => (usual === null ? [] : [project])));
  const usual = [...stays]
    .filter(([project]) => helpful.has(project))
    .reduce<AudienceScope | null>((sum, [, { contents }]) => joinContents(sum, contents), noContents);
  const contents = joinContents(told, usual);
  const provenance = { ...aging.provenance, ...(contents === null ? {} : { contents }) };
  return { aging: { ...aging, provenance }, told, usual };
}

function agingOf(open: OpenIssues, held: readonly AgingIssue[]): Aging {
  return {
    issues: orderAging(held),
    beyond: held.filter(isBeyond).length,
    unknown: open.unknown,
    doubts: { unclear: open.unclear, withoutCategory: open.withoutCategory },
    provenance: provenanceOf(open),
  };
}

/** Where the figures come from, which are of the open issues alone. */
function provenanceOf(open: OpenIssues): Provenance {
  const { withoutCategory, cutHistories, provenance } = open;
  const { contents: _, ...others } = provenance;
  return {
    ...others,
    issues: open.known.length + open.unknown.length + open.unclear.length,
    cutHistories,
    complete: cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0,
  };
}

/** What the open issues are; only in slices where some issue has a level it takes another look at whether they are the ones. */
async function contentsOf(
  { slices }: OpenIssues,
  asker: Asker,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  let all: AudienceScope | null = noContents;
  for (const { keys, contents } of slices) {
    all = mergeContents(all, await contentsOfSome(keys, contents, asker, asOf, reporting));
  }
  return all;
}

async function contentsOfSome(
  keys: readonly string[],
  contents: AudienceScope | null | undefined,
  asker: Asker,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  if (contents === null || keys.length === contents?.issues) return contents;
  if (keys.length === 0) return noContents;
  if (contents?.withLevel === 0) {
    const projects = [...new Set(keys.map((key) => projectKeyOf({ key }).toUpperCase()))].sort();
    return { projects, issues: keys.length, withLevel: 0 };
  }
  const selection = { by: 'keys', keys } as const;
  return reporting.contents(ask({ asker, reportType: 'statusDuration', selection, asOf }));
}

/** Holds an issue against what is usual where it is. Of a usual stay of no time there is no share. */
function withUsual(issue: WaitingIssue, usual: DwellPercentile | null): AgingIssue {
  const pace = usual === null || usual.p85 === 0 ? null : issue.ageMs / usual.p85;
  return { ...issue, usual, pace };
}

/** Whether an issue has been where it is for longer than is usual there. */
function isBeyond({ ageMs, usual }: AgingIssue): boolean {
  return usual !== null && ageMs > usual.p85;
}

/** Those furthest beyond what is usual first; those of which nobody can tell what is usual last, by age. */
function orderAging(issues: readonly AgingIssue[]): readonly AgingIssue[] {
  return issues.toSorted(
    (a, b) => compareNumbers(rankOf(b), rankOf(a)) || b.ageMs - a.ageMs || compareIds(a.key, b.key),
  );
}

function rankOf(issue: AgingIssue): number {
  if (issue.pace !== null) return issue.pace;
  return isBeyond(issue) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** A difference of two infinities is no number. */
function compareNumbers(a: number, b: number): number {
  return Number(a > b) - Number(a < b);
}
