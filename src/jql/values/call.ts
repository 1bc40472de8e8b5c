import type { Compilation } from '../compilation.ts';
import { listed, refuse } from '../refuse.ts';
import type { CallOperand } from '../syntax/query-tree.ts';

/** Functions that stand for several values: they go with IN and NOT IN only, as in Jira. */
const manyValued: readonly string[] = [
  ...['membersof', 'opensprints', 'closedsprints', 'futuresprints'],
  ...['standardissuetypes', 'subtaskissuetypes'],
];

export const dateFunctions = [
  'now',
  ...['startOf', 'endOf'].flatMap((edge) =>
    ['Day', 'Week', 'Month', 'Quarter', 'Year'].map((unit) => edge + unit),
  ),
];

const allFunctions = [
  'currentUser',
  'membersOf',
  'openSprints',
  'closedSprints',
  'futureSprints',
  'standardIssueTypes',
  'subTaskIssueTypes',
  ...dateFunctions,
];

/** The function called, in lower case, if a field takes it (`taken`); otherwise the refusal says what it takes. */
export function functionCalled(
  call: CallOperand,
  taken: readonly string[],
  { compilation, title, inList }: { compilation: Compilation; title: string; inList: boolean },
): string {
  const called = call.called.text.toLowerCase();
  const { name } = compilation;
  if (!allFunctions.some((one) => one.toLowerCase() === called)) {
    throw refuse(
      name,
      call.called,
      `is not a function that is supported; allowed: ${listed(allFunctions.map(withBrackets))}.`,
    );
  }
  if (!taken.some((one) => one.toLowerCase() === called)) {
    const allowed = taken.length === 0 ? 'no function' : listed(taken.map(withBrackets));
    throw refuse(name, call.called, `is not a function that ${title} takes; allowed: ${allowed}.`);
  }
  if (manyValued.includes(called) && !inList) {
    throw refuse(name, call, 'stands for several values; allowed: IN or NOT IN before it.');
  }
  return called;
}

/** The arguments, if there are as many as the function takes. */
export function checkArguments(call: CallOperand, { name }: Compilation, least: number, most = least): void {
  const count = call.args.length;
  if (count >= least && count <= most) return;
  const allowed = least === most ? `${least === 0 ? 'no' : least}` : `${least} to ${most}`;
  throw refuse(name, call, `has ${count} arguments; allowed: ${allowed} argument${most === 1 ? '' : 's'}.`);
}

function withBrackets(called: string): string {
  return `${called}()`;
}
