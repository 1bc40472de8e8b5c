import { expect, test } from '#jest';
import { checkFlow } from '../../../src/api/flows/check-flow.ts';
import { readFlowChange } from '../../../src/api/flows/flow-document.ts';

const own = [
  { id: '3', name: 'In Progress' },
  { id: '5', name: 'Done' },
];
/** A status that the person who changes the flow does not see. */
const placed = [{ id: '90', name: 'Suing Acme' }];

const check = (...started: string[]) => {
  const stages = [
    { name: 'Doing', kind: 'active', statuses: started },
    { name: 'Done', kind: 'done', statuses: ['5'] },
  ];
  const change = readFlowChange({ revision: 1, stages });
  return checkFlow({ ...change, stages: change.stages ?? [] }, 'WEB', { own, all: own, placed });
};

test('a status that the flow has already stays by its id, and is not found by its name', () => {
  expect(check('3', '90').stages[0]?.statuses).toEqual([own[0], placed[0]]);
  expect(() => check('Suing Acme')).toThrow(
    expect.objectContaining({
      details: ["stages[0].statuses 'Suing Acme' is not a status here. Try: In Progress, Done."],
    }),
  );
  expect(() => check('91')).toThrow(expect.objectContaining({ reason: 'invalid-value' }));
});
