import fc from 'fast-check';
import { expect, test } from '#jest';
import { checkFlow } from '../../../src/api/flows/check-flow.ts';
import type { FlowOfProject } from '../../../src/api/flows/flow-document.ts';
import { type StageKind, stageKinds } from '../../../src/model/flow.ts';
import { changeOf, entriesOf, placeableStatuses } from '../../../src/slack/flow/flow-form.ts';

const own = Array.from({ length: 9 }, (_, i) => ({
  id: String(i + 1),
  // Names that collide with each other, with those of stages, and one that is longer than a stage's.
  name: ['To Do', 'Done', 'Same', 'Same', 'S4', 'Review', 'Q'.repeat(90), 'Q'.repeat(91), 'Ready'][i] ?? '',
}));

const rank = { queue: 0, active: 1, waiting: 1, done: 2 };

/** A flow whose stages are in order: queues, then a start, then others, then at least one that is done. */
const aFlow: fc.Arbitrary<FlowOfProject> = fc
  .record({
    // A stage for each status, or none.
    places: fc.array(fc.option(fc.nat(5)), { minLength: 9, maxLength: 9 }),
    kinds: fc.array(fc.constantFrom<StageKind>('queue', 'active', 'waiting', 'done'), {
      minLength: 4,
      maxLength: 4,
    }),
    ...{ pauses: fc.boolean(), flag: fc.boolean(), links: fc.boolean(), isDefault: fc.constant(false) },
    start: fc.nat(3),
  })
  .map(({ places, kinds, pauses, flag, links, isDefault, start }) => {
    const all: readonly StageKind[] = [...kinds, 'active' as const, 'done' as const].toSorted(
      (a, b) => rank[a] - rank[b],
    );
    const stages = all.map((kind, i) => ({
      name: `S${i}`,
      kind,
      // A done stage without a status would end nothing.
      statuses: own.filter(
        (_, n) => places[n] === i || (i === 5 && n === 8) || (i === all.indexOf('done') && n === 7),
      ),
    }));
    const once = stages.map((stage, i) => ({
      ...stage,
      statuses: stage.statuses.filter(
        ({ id }) => !stages.slice(i + 1).some(({ statuses }) => statuses.some((one) => one.id === id)),
      ),
    }));
    const started = once.filter(({ kind }) => kind === 'active' || kind === 'waiting');
    return {
      ...{ projectKey: 'WEB', revision: 3, isDefault, pauses, variants: [], changes: [] },
      target: pauses ? { percent: 85, days: 8 } : null,
      stages: once,
      start: started[start % started.length]?.name ?? null,
      end: once.find(({ kind }) => kind === 'done')?.name ?? null,
      blockedBy: { flag, links, statuses: own.slice(0, 1) },
      notCounted: { resolutions: ['Gone', 'Odd'], issueTypes: ['Idea'], subtasks: pauses },
      unplaced: own.filter(({ id }) => !once.some(({ statuses }) => statuses.some((one) => one.id === id))),
    };
  });

/** A kind for each status, or none. */
const someKinds = fc.array(fc.option(fc.constantFrom(...stageKinds)), { minLength: 9, maxLength: 9 });

const chosenOf = (kinds: readonly (StageKind | null)[]) => {
  const of = (kind: StageKind) => own.filter((_, i) => kinds[i] === kind).map(({ id }) => id);
  return { queue: of('queue'), active: of('active'), waiting: of('waiting'), done: of('done') };
};

test('each status is in one stage of the kind it was sorted into, in an order that a flow can have', () => {
  fc.assert(
    fc.property(aFlow, someKinds, (flow, kinds) => {
      const chosen = chosenOf(kinds);
      const offered = { resolutions: [], issueTypes: [] };
      const { stages = [] } = changeOf(flow, { ...entriesOf(flow), ...chosen }, offered);
      for (const kind of stageKinds) {
        const placed = stages.filter((one) => one.kind === kind).flatMap(({ statuses }) => statuses);
        expect(placed.toSorted()).toEqual(chosen[kind].toSorted());
      }
      const ranks = stages.map(({ kind }) => rank[kind]);
      expect(ranks).toEqual(ranks.toSorted());
      const names = stages.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.length > 60)).toEqual([]);
      for (const { name, kind, statuses } of flow.stages) {
        const [first, ...others] = statuses.map(({ id }) => kinds[Number(id) - 1] ?? null);
        const isKept = first !== undefined && first !== null && others.every((one) => one === first);
        const isInPlace = first === kind || first === 'active' || first === 'waiting';
        if (!isKept || !isInPlace) continue;
        const stage = stages.find((one) => one.name === name);
        expect(stage?.kind).toBe(first);
        expect(stage?.statuses).toEqual(expect.arrayContaining(statuses.map(({ id }) => id)));
      }
    }),
  );
});

test('a form that is untouched changes nothing, and one with a start and an end is a flow', () => {
  const known = { own, all: own, placed: [] };
  fc.assert(
    fc.property(aFlow, someKinds, fc.nat(8), (flow, kinds, start) => {
      const offered = { resolutions: ['Gone'], issueTypes: ['Idea'] };
      const entries = entriesOf(flow);
      const shown = { ...entries, resolutions: ['Gone'] };
      const { stages, notCounted, blockedBy, pauses, end } = changeOf(flow, shown, offered);
      expect([stages, pauses, end]).toEqual([
        flow.stages.map((stage) => ({ ...stage, statuses: stage.statuses.map(({ id }) => id) })),
        flow.pauses,
        flow.end,
      ]);
      expect(notCounted.resolutions.toSorted()).toEqual(flow.notCounted.resolutions);
      expect(blockedBy).toEqual({ ...flow.blockedBy, statuses: ['1'] });
      expect(placeableStatuses(flow)).toHaveLength(own.length);

      const startKind = kinds[start];
      fc.pre(kinds.includes('done') && (startKind === 'active' || startKind === 'waiting'));
      const change = changeOf(flow, { ...entries, ...chosenOf(kinds), start: String(start + 1) }, offered);
      const sent = { ...change, stages: change.stages ?? [] };
      const checked = checkFlow(sent, 'WEB', known);
      const started = checked.stages.find(({ name }) => name === checked.start);
      expect(started?.statuses.map(({ id }) => id)).toContain(String(start + 1));
      expect(checked.stages.find(({ name }) => name === checked.end)?.kind).toBe('done');
    }),
  );
});
