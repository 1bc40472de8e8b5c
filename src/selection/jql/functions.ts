import type { Compilation } from './jql.ts';
import { type CallOperand, listed, refuse } from './query-tree.ts';
import { unsupported, unsupportedFunctions } from './unsupported.ts';

/** Functions of dates: they stand for one instant. */
export const dateFunctions = [
  'now',
  ...['startOf', 'endOf'].flatMap((edge) =>
    ['Day', 'Week', 'Month', 'Quarter', 'Year'].map((unit) => edge + unit),
  ),
];

/** Functions that stand for one value. */
const singleValued: readonly string[] = [
  'currentUser',
  ...dateFunctions,
  ...['latestReleasedVersion', 'earliestUnreleasedVersion'],
];

/** Functions that stand for several values: they go with IN and NOT IN only, as in Jira. */
const manyValued: readonly string[] = [
  ...['membersOf', 'openSprints', 'closedSprints', 'futureSprints', 'standardIssueTypes'],
  ...['subTaskIssueTypes', 'cascadeOption', 'linkedIssues', 'updatedBy'],
  ...['releasedVersions', 'unreleasedVersions'],
];

/** Every function that is supported, as Jira spells it. */
export const allFunctions: readonly string[] = [...singleValued, ...manyValued];

function isAmong(names: readonly string[], called: string): boolean {
  return names.some((one) => one.toLowerCase() === called);
}

/** The function called, in lower case, if a field takes it (`taken`); otherwise the refusal says what it takes. */
export function functionCalled(
  call: CallOperand,
  taken: readonly string[],
  { compilation, title, inList }: { compilation: Compilation; title: string; inList: boolean },
): string {
  const called = call.called.text.toLowerCase();
  const { name } = compilation;
  const missing = unsupported(unsupportedFunctions, called);
  if (missing !== undefined) throw refuse(name, call.called, `is not supported: ${missing.because}.`);
  if (!isAmong(allFunctions, called)) {
    throw refuse(
      name,
      call.called,
      `is not a function that is supported. Try: ${listed(allFunctions.map(withBrackets))}.`,
    );
  }
  if (!isAmong(taken, called)) {
    const allowed = taken.length === 0 ? 'no function' : listed(taken.map(withBrackets));
    throw refuse(name, call.called, `is not a function that ${title} takes. Try: ${allowed}.`);
  }
  if (isAmong(manyValued, called) && !inList) {
    throw refuse(name, call, 'gives several values. Try: IN or NOT IN before it.');
  }
  return called;
}

/** The arguments, if there are as many as the function takes. */
export function checkArguments(call: CallOperand, { name }: Compilation, least: number, most = least): void {
  const count = call.args.length;
  if (count >= least && count <= most) return;
  const allowed = least === most ? `${least === 0 ? 'no' : least}` : `${least} to ${most}`;
  throw refuse(name, call, `has ${count} arguments. Try: ${allowed} argument${most === 1 ? '' : 's'}.`);
}

function withBrackets(called: string): string {
  return `${called}()`;
}
