import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { numbersAt } from '../../engine/measure/scan-rows.ts';
import { spansScan } from '../../engine/measure/spans-scan.ts';
import { type WorkKind, workKinds } from '../../model/flow.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import { neverInProgress } from './finish-of.ts';
import {
  cycleTimes,
  finishedIn,
  flowsFor,
  mayBeFinishedIn,
  outcomesIn,
  outcomesRequest,
  readRemaining,
  timesIn,
} from './issue-outcomes.ts';
import { scopeOfKeys } from './open-issues.ts';
import type {
  FinishedInput,
  FinishedIssue,
  FinishedSpan,
  FinishedSpans,
  IssueOutcome,
  Span,
} from './outcomes-api.ts';
import type { PassOver } from './pass.ts';
import { addScopes, summaryIn } from './read-table.ts';
import { addTime, issuesInProgress, lastMoment, timeWithin } from './time-within.ts';

/** A span, and the issues finished in it that rows cannot speak for. */
interface RemainingOfSpan extends Span {
  readonly outcomes: IssueOutcome[];
}

/** The issues finished in spans that adjoin: in one pass over rows, and issue by issue where these cannot speak. */
export async function finishedSpans(
  { bounds, together = [], part, ...input }: FinishedInput,
  reporting: Pick<ReportingApi, 'statuses' | 'flows' | 'audienceScope'>,
  passOver: PassOver,
): Promise<FinishedSpans> {
  const flows = await flowsFor(input, reporting);
  const issues = { ...input, flows };
  const request = outcomesRequest(issues, flows);
  const passed = await passOver(
    request,
    spansScan,
    (plan, facts) => {
      const isTogether = Uint8Array.from(facts.statusIds, (id) => Number(together.includes(id)));
      return { ...plan, bounds, together: isTogether };
    },
    { part, flows },
  );
  const { lists, sums, statusIds, keys, slices, remaining } = passed;
  const spans = bounds
    .slice(1)
    .map((end, i): RemainingOfSpan => ({ start: bounds[i] ?? 0, end, outcomes: [] }));
  const whole = { start: bounds[0] ?? 0, end: bounds.at(-1) ?? 0 };
  const doubtful: FinishedSpans['doubtful'][number][] = [];
  const withoutCategory = new Set<string>();
  let [lived, cutHistories] = [sums.lived[0] ?? 0, 0];
  const { statuses, provenance } = await readRemaining(issues, passed, reporting, (all) => {
    const outcomes = all.filter(({ counts }) => counts);
    for (const { facts, finish, countsFinish, unclear, withoutCategory: titles } of mayBeFinishedIn(
      whole,
      outcomes,
    ))
      doubtful.push({ facts, finish, countsFinish, unclear, withoutCategory: titles });
    for (const outcome of outcomes.filter((one) => livedIn(one, whole))) {
      lived += 1;
      if (!outcome.facts.history.complete) cutHistories += 1;
      for (const title of outcome.withoutCategory) withoutCategory.add(title);
    }
    for (const span of spans) for (const one of finishedIn(span, outcomes)) span.outcomes.push(one);
  });
  const known = await reporting.statuses(issues.principal);

  function spanAt(span: number, { outcomes, ...ends }: RemainingOfSpan): FinishedSpan {
    const indexes = numbersAt(lists.finished, span);
    const cycleMs = numbersAt(lists.cycleMs, span);
    /** Those found in rows and all others in the order of the question. */
    const inOrder = <Issue>(
      inRows: readonly (readonly [key: string, Issue])[],
      others: readonly (readonly [key: string, Issue])[],
    ) => {
      if (inRows.length === 0 || others.length === 0) return [...inRows, ...others].map(([, issue]) => issue);
      const all = [lists.finished.get(span) ?? [], lists.rest.get(0) ?? []].flat();
      const order = new Map(all.flatMap((some) => keys(some).map((key, i) => [key, some[i] ?? 0] as const)));
      return [...inRows, ...others]
        .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
        .map(([, issue]) => issue);
    };
    const summed = (outcome: IssueOutcome) => {
      const spent = together.flatMap((id) => outcome.times?.get(id) ?? []);
      return spent.length === 0 ? [] : [spent.reduce((sum, ms) => sum + ms, 0)];
    };
    return {
      ...ends,
      finished: indexes.length + outcomes.length,
      cycleTimes: [cycleMs.filter((ms) => !Number.isNaN(ms)), Float64Array.from(cycleTimes(outcomes))],
      cycleTimesIn(flow) {
        const own = numbersAt(lists.flows, span);
        const isOwn = (ms: number, i: number) => !Number.isNaN(ms) && flows.all[own[i] ?? 0] === flow;
        const others = outcomes.filter((one) => one.flow === flow);
        return [cycleMs.filter(isOwn), Float64Array.from(cycleTimes(others))];
      },
      together: [...(lists.together.get(span) ?? []), Float64Array.from(outcomes.flatMap(summed))],
      times(id) {
        const key = statusIds.indexOf(id) * spans.length + span;
        return [...(lists.times.get(key) ?? []), Float64Array.from(timesIn(id, outcomes))];
      },
      issues: () =>
        inOrder<FinishedIssue>(
          keys(indexes).map((key, i) => {
            const ms = cycleMs[i] ?? Number.NaN;
            return [key, { key, cycle: Number.isNaN(ms) ? { reason: neverInProgress } : { ms } }];
          }),
          outcomes.flatMap(({ facts: { key }, finish }) =>
            finish === null ? [] : [[key, { key, cycle: finish.cycle }]],
          ),
        ),
      async named(wanted) {
        const read = outcomes.map(({ facts: { key, link }, summary }) => [key, { summary, link }] as const);
        const names = new Map(read.filter(([key]) => wanted.includes(key)));
        const inRows = keys(indexes);
        const unread = wanted.filter((key) => !names.has(key));
        for await (const slice of slices(unread.map((key) => indexes[inRows.indexOf(key)] ?? 0))) {
          for (const { key, link, cells } of (await slice.report(request)).issues)
            names.set(key, { summary: summaryIn(cells), link });
        }
        return names;
      },
      async outcomes() {
        const inRows: IssueOutcome[] = [];
        for await (const slice of slices(indexes))
          for (const one of finishedIn(ends, (await outcomesIn(slice, issues, known)).outcomes))
            inRows.push(one);
        const byKey = (some: readonly IssueOutcome[]) => some.map((one) => [one.facts.key, one] as const);
        return inOrder(byKey(inRows), byKey(outcomes));
      },
      async within() {
        const within = new Map<string, Map<WorkKind, number>>();
        for (const [code, kind] of workKinds.entries()) {
          for (const [slot, id] of statusIds.entries()) {
            const ms = sums.within[(code * statusIds.length + slot) * spans.length + span] ?? 0;
            if (ms > 0) addTime(within, id, kind, ms);
          }
        }
        await eachOdd(async (slice) => {
          for (const [id, times] of await timeWithin(ends, issues, flows, slice))
            for (const [kind, ms] of times) addTime(within, id, kind, ms);
        });
        return within;
      },
      async inProgress() {
        let count = sums.inProgress[span] ?? 0;
        const moment = lastMoment(ends, provenance);
        await eachOdd(async (slice) => {
          count += (await issuesInProgress(moment, issues, { known, flows }, slice)).found.length;
        });
        return count;
      },
    };
  }

  /** The issues of which rows do not even know the time within spans. */
  async function eachOdd(use: (slice: IssueSlice) => Promise<void>): Promise<void> {
    for await (const slice of remaining({ list: lists.odd })) {
      // Reports that follow one another are one piece of work to everyone else.
      await yieldToOthers();
      await use(slice);
    }
  }

  return {
    spans: spans.map((span, i) => spanAt(i, span)),
    lived,
    cutHistories,
    doubtful,
    statuses,
    provenance,
    withoutCategory: [...withoutCategory],
    async finishedContents() {
      const { contents: ofAll = null } = provenance;
      if (ofAll === null) return null;
      const keys = spans.flatMap((span) => span.outcomes.map(({ facts }) => facts.key));
      const scope = await scopeOfKeys(keys, ofAll.withLevel !== 0, issues, reporting);
      return addScopes(passed.scopeOf(sums.classes), scope);
    },
  };
}

/** Open, or become done, in a span, as far as is known; an issue may have been where it is unknown. */
function livedIn({ facts, ended, open }: IssueOutcome, { start, end }: Span): boolean {
  if (facts.created >= end) return false;
  if (open || ended === null) return true;
  if (ended.unknown !== null) return ended.unknown.until >= start;
  return ended.at !== null && ended.at >= start;
}
