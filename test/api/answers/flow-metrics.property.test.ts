import fc from 'fast-check';
import { expect, test } from '#jest';
import { flowKind } from '../../../src/api/answers/flow/flow-kind.ts';
import type { ProjectFlow, WorkKind } from '../../../src/model/flow.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { runs } from '../../support/soak.ts';
import { ada, end, someIssues, start, teamReporting, web, workflow } from './a-team.ts';
import { measures, mondaysOf, type SlowLife, slowLife, slowSpread } from './slow-weeks.ts';
import { slowFlow, someFlows } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

const question = fc.record({
  timeZone: fc.constantFrom(...zones),
  measure: fc.constantFrom(...measures),
  asOf: fc.integer({ min: start + 3 * 86_400_000, max: end }),
});

const isWork = (kind: WorkKind) => kind === 'active' || kind === 'waiting';

const plainNames = {
  queue: 'To Do',
  active: 'In Progress',
  waiting: 'Waiting',
  done: 'Done',
  unknown: 'Unknown',
} as const;

/** The stage that a status is in, as the words of a flow have it: its name and its kind. */
function slowStage(flows: readonly ProjectFlow[], issue: Issue, { kindOf }: SlowLife, id: string): string {
  const flow =
    flows.find(({ project }) => issue.key.startsWith(`${project}-`))?.versions.at(-1)?.flow ?? null;
  const { issuetype: type } = issue.fields;
  const typeName = type !== null && typeof type === 'object' && 'name' in type ? type.name : '';
  const own = flow?.variants.find(({ issueTypes }) => issueTypes.includes(typeName)) ?? flow;
  const stage = own?.stages.find(({ statuses }) => statuses.some((status) => status.id === id));
  const kind = kindOf(id);
  const status = workflow.find((one) => one.id === id);
  const name = stage?.name ?? (flow === null && isWork(kind) ? (status?.name ?? id) : plainNames[kind]);
  return `${kind} ${name}`;
}

/** Adds to a list by name. */
function push<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}

const shown = (values: readonly number[]) => values.map((value) => Number(value.toFixed(3))).sort();

test('every figure of a flow is the one that is counted out issue by issue', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, someFlows, question, async (issues, flows, { timeZone, measure, asOf }) => {
      const { calendar, between } = measure;
      const selection = issues.length === 0 ? ({ by: 'jql', jql: '' } as const) : web;
      const { answers } = await teamAnswers({
        reporting: teamReporting(issues, end, flows),
        now: () => end,
      });
      const ofIssues = { kind: 'flow', selection, calendar, timeZone } as const;
      const { value: flow } = await answers.ask(flowKind, ada, ofIssues, asOf);
      const starts = mondaysOf(timeZone);
      const index = starts.findLastIndex((one) => one <= asOf);
      const weeks = Array.from({ length: 13 }, (_, i): [number, number] => [
        starts[index - 12 + i] ?? 0,
        starts[index - 11 + i] ?? 0,
      ]);
      const outcomes = issues
        .filter(({ created }) => created <= asOf)
        .map((issue) => ({ issue, life: slowLife(issue, asOf, between, flows) }))
        .filter(({ life }) => life.counts);
      const stageOf = ({ issue, life }: (typeof outcomes)[number], id: string) =>
        slowStage(flows, issue, life, id);
      const nameOf = ({ name, kind }: (typeof flow.stages)[number]) =>
        `${kind} ${name.replace(new RegExp(` \\(${kind}\\)$`), '')}`;

      expect(flow.weeks.map((week) => [week.start, week.end, week.whole])).toEqual(
        weeks.map(([from, until]) => [from, until, until <= asOf]),
      );
      expect(flow.weeks.map(({ arrived }) => arrived)).toEqual(
        weeks.map(
          ([from, until]) =>
            issues.filter(
              ({ key, created }) =>
                created >= from && created < until && outcomes.some(({ life }) => life.key === key),
            ).length,
        ),
      );

      // Just before each instant an issue was where it was since before, up to the instant or later.
      const counted = new Map<string, number[]>();
      for (const [i, at] of flow.instants.entries()) {
        for (const one of outcomes) {
          for (const { id, from, until } of one.life.stays) {
            if (!(from < at && until >= at)) continue;
            const counts = counted.get(stageOf(one, id)) ?? flow.instants.map(() => 0);
            counts[i] = (counts[i] ?? 0) + 1;
            counted.set(stageOf(one, id), counts);
          }
        }
      }
      const byStage = new Map(flow.stages.map((stage) => [nameOf(stage), stage]));
      expect(byStage.size).toBe(flow.stages.length);
      for (const [name, { counts }] of byStage)
        expect([name, counts]).toEqual([name, counted.get(name) ?? flow.instants.map(() => 0)]);
      expect([...counted.keys()].filter((name) => !byStage.has(name))).toEqual([]);
      for (const { inProgress, end: until } of flow.weeks) {
        const index = flow.instants.indexOf(Math.min(until, asOf));
        const started = flow.stages.filter(({ kind }) => isWork(kind));
        const count = started.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0);
        if (inProgress !== null || count > 0) expect(inProgress).toBe(count);
      }

      const [begin = 0, until = 0] = [weeks[0]?.[0], weeks.at(-1)?.[1]];
      const ages: [string, number][] = [];
      const left = new Map<string, number[]>();
      const finished: [string, number, number][] = [];
      for (const one of outcomes) {
        const { life, issue } = one;
        const { stays, kindOf, finishedAt, cycleMs } = life;
        const { pauses } = slowFlow(flows, issue);
        const first = stays.findIndex(({ id }) => isWork(kindOf(id)));
        const msUntil = (last: number) =>
          stays
            .filter((_, i) => i >= first && i <= last)
            .filter(({ id }) => !pauses || kindOf(id) !== 'queue')
            .reduce((sum, stay) => sum + between(stay.from, stay.until), 0);
        const now = stays.at(-1);
        if (life.open && life.lasting && now !== undefined && isWork(kindOf(now.id))) {
          if (life.unknown || life.strange) expect(flow.ageUnknown).toContain(life.key);
          else ages.push([life.key, msUntil(stays.length - 1)]);
        }
        if (finishedAt === null || cycleMs === null || finishedAt < begin || finishedAt >= until) continue;
        finished.push([life.key, finishedAt, cycleMs]);
        const last = new Map<string, number>();
        for (const [i, stay] of stays.entries())
          if (isWork(kindOf(stay.id)) && stay.until <= finishedAt) last.set(stageOf(one, stay.id), i);
        for (const [name, i] of last) push(left, name, msUntil(i));
      }
      expect(flow.openIssues.map(({ key, ageMs }) => [key, ageMs]).sort()).toEqual(ages.sort());
      expect(flow.finishedIssues.map((one) => [one.key, one.finishedAt, one.cycleMs]).sort()).toEqual(
        finished.sort(),
      );
      for (const [name, stage] of byStage) {
        const { count, medianMs, p85Ms } = slowSpread(left.get(name) ?? []);
        const { left: figures } = stage;
        expect([name, figures.count]).toEqual([name, count]);
        expect(shown([figures.p50Ms ?? -1, figures.p85Ms ?? -1])).toEqual(
          shown([medianMs ?? -1, p85Ms ?? -1]),
        );
      }
      const all = slowSpread(finished.map(([, , ms]) => ms));
      expect([flow.total.cycleTime.count, shown([flow.total.cycleTime.p85Ms ?? -1])]).toEqual([
        all.count,
        shown([all.p85Ms ?? -1]),
      ]);
    }),
    { numRuns: runs(100) },
  );
});
