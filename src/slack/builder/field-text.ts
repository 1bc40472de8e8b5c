import type { Choice } from '../choice-options.ts';

/** What a value is called in a list of choices; itself where it is not in it. */
export function fieldText(value: string, choices: readonly Choice[]): string {
  return choices.find(([, one]) => one === value)?.[0] ?? value;
}
