import { contentAsOf, EVER } from '../../engine/measure/own-cells.ts';
import {
  blockedVisits,
  blockerVisits,
  type CauseSpan,
  causeValue,
  type HasBlockedVisits,
  type KnownSpan,
  keysOfBlockers,
  overlapOf,
  spansOf,
  visitsOfBlocked,
} from '../../engine/visits/blocked-visits.ts';
import { type Visit, visitsAsOf } from '../../engine/visits/timeline.ts';
import type { Directory } from '../../model/directory.ts';
import type { CompiledFlow, Flows } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { isFlag, isFlagName } from '../../model/issues/flags-and-links.ts';
import { levelOf, projectKeyOf, rolesOf } from '../../model/issues/issue-fields.ts';
import { rightsOf } from './access-rules.ts';
import type { QueryContext } from './query-context.ts';
import { isValue } from './visible-issues.ts';

/** Which links count for a principal, and what an issue counts as in a status. */
export interface BlockedContext
  extends Pick<QueryContext, 'principal' | 'directory' | 'issue' | 'pace' | 'asOf'> {
  readonly flows: Flows;
  /** The fields that are flags. */
  readonly flags: readonly string[];
  /**
   * Keys (upper case) of the projects whose issues count as the other end of a link, unless they are restricted; absent: all
   * that the principal can see.
   */
  readonly linksWithin?: readonly string[] | undefined;
}

/** The ids of the fields that are flags. Of a changelog that names fields by title alone, the title is the id. */
export function flagFields({ fields }: Pick<Directory, 'fields'>, changed: Iterable<string>): string[] {
  const untitled = [...changed].filter((id) => isFlagName(id));
  return [...new Set([...fields.filter(isFlag).map(({ id }) => id), ...untitled])];
}

/** Reads of issues what blocked them, as far as the principal can see it. */
export type ReadBlocked = (issues: readonly Issue[]) => Promise<readonly (Issue & HasBlockedVisits)[]>;

/** Creates a reader, which looks up each issue at the other end of a link once. */
export function createBlockedReader(context: BlockedContext): ReadBlocked {
  const { flows, asOf, pace } = context;
  const counts = countsAsBlocker(context);
  const blockers = new Map<string, readonly KnownSpan[]>();

  /** The time in which an issue at the other end of a link is not done; none of one that does not count. */
  async function openTimes(key: string): Promise<readonly KnownSpan[]> {
    const known = blockers.get(key);
    if (known !== undefined) return known;
    const rest = pace();
    if (rest !== null) await rest;
    const issue = await context.issue(key);
    const open = issue === null || !counts(issue) ? [] : openSpans(issue, flowThen(issue, flows, asOf)).spans;
    blockers.set(key, open);
    return open;
  }

  async function linkSpans(visits: readonly Visit[]): Promise<readonly CauseSpan[]> {
    const spans: CauseSpan[] = [];
    for (const key of new Set(visits.flatMap(({ value }) => keysOfBlockers(value)))) {
      const linked = spansOf(visits, (value) => keysOfBlockers(value).includes(key));
      for (const open of await openTimes(key)) {
        for (const one of linked) {
          const both = overlapOf(one, open);
          if (both !== null) spans.push({ ...both, value: causeValue.link(key) });
        }
      }
    }
    return spans;
  }

  async function visitsOf(issue: Issue): Promise<readonly Visit[]> {
    const flow = flowThen(issue, flows, asOf);
    const { blockedBy } = flow;
    const { spans: open, statuses } = openSpans(issue, flow);
    const flags = blockedBy.flag ? context.flags.map((field) => visitsAsOf(issue, field, EVER)) : [];
    const links = blockedBy.links ? blockerVisits(issue, EVER) : [];
    const unknown = [statuses, ...flags, links].flatMap((visits) => visits.filter(({ known }) => !known));
    return blockedVisits({
      created: issue.created,
      until: EVER,
      open,
      causes: [
        ...flags.flatMap((visits) =>
          spansOf(visits, (value) => value !== null).map((span) => ({ ...span, value: causeValue.flag })),
        ),
        ...blockedBy.statuses.flatMap((status) =>
          spansOf(statuses, (value) => value?.id === status.id).map((span) => ({
            ...span,
            value: causeValue.status(status),
          })),
        ),
        ...(await linkSpans(links)),
      ],
      gap:
        unknown.length === 0
          ? null
          : {
              start: Math.min(...unknown.map(({ start }) => start)),
              end: Math.max(...unknown.map(({ end }) => end)),
            },
    });
  }

  return async (issues) => {
    const read: (Issue & HasBlockedVisits)[] = [];
    for (const issue of issues) {
      const rest = pace();
      if (rest !== null) await rest;
      read.push({ ...issue, [visitsOfBlocked]: await visitsOf(issue) });
    }
    return read;
  };
}

/** Returns true for an issue that counts as the other end of a link. */
export function countsAsBlocker({
  principal,
  directory,
  linksWithin,
}: Pick<BlockedContext, 'principal' | 'directory' | 'linksWithin'>): (issue: Issue) => boolean {
  const maySee = rightsOf(principal, directory);
  if (linksWithin === undefined) return maySee;
  const projects = new Set(linksWithin);
  return (issue) =>
    projects.has(projectKeyOf(issue).toUpperCase()) &&
    levelOf(issue) === null &&
    rolesOf(issue) === null &&
    maySee(issue);
}

/** The flow of an issue, by the type that it had at an instant. */
function flowThen(issue: Issue, flows: Flows, asOf: Instant): CompiledFlow {
  const type = contentAsOf(issue, 'issuetype', asOf);
  const { index } = flows.of(projectKeyOf(issue).toUpperCase(), isValue(type) ? type : null);
  const flow = flows.all[index];
  if (flow === undefined) throw new Error(`There is no flow ${index}.`);
  return flow;
}

/** The time in which an issue is not done, as far as its history shows it, and the visits of its statuses. */
function openSpans(issue: Issue, { kindOf }: CompiledFlow) {
  const statuses = visitsAsOf(issue, 'status', EVER);
  return { statuses, spans: spansOf(statuses, (value) => value !== null && kindOf(value.id) !== 'done') };
}
