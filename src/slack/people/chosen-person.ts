import { z } from 'zod';

/** What the button of one of several people carries: who is meant, and what was asked of them. */
const chosenPerson = z.object({
  about: z.enum(['delegates', 'delegators', 'end']),
  person: z.string(),
  rest: z.string(),
});
/** The same as a value. */
export type ChosenPerson = z.infer<typeof chosenPerson>;

/** As a button's value. */
export function writeChosen(chosen: ChosenPerson): string {
  return JSON.stringify(chosen);
}

/** From a button's value; only we write those. */
export function readChosen(value: string): ChosenPerson {
  return chosenPerson.parse(JSON.parse(value));
}
