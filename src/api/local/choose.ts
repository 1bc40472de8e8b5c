import { badRequest } from '../../model/error.ts';

/** Names are matched without regard to case, as clients of the compatible product spell them in several ways. */
export function choose<Choice>(
  parameter: string,
  asked: string,
  choices: readonly Choice[],
  namesOf: (choice: Choice) => readonly string[],
): Choice {
  const wanted = asked.trim().toLowerCase();
  const chosen = choices.find((choice) => namesOf(choice).some((name) => name.toLowerCase() === wanted));
  if (chosen !== undefined) return chosen;
  const allowed = choices.map((choice) => [...new Set(namesOf(choice))].join(' or ')).join(', ');
  throw badRequest(`${parameter} '${asked}' is not known; allowed: ${allowed === '' ? 'none' : allowed}.`);
}
