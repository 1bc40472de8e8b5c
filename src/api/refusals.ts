import { about, badRequestAs } from '../model/error.ts';

/** Names are matched without regard to case, as clients of the compatible product spell them in several ways. */
export function choose<Choice>(
  parameter: string,
  asked: string,
  choices: readonly Choice[],
  namesOf: (choice: Choice) => readonly string[],
): Choice {
  const wanted = asked.trim().toLowerCase();
  // The first name of a choice is its own alone; others may be called like it.
  const names = choices.map((choice) => ({
    choice,
    names: namesOf(choice).map((name) => name.toLowerCase()),
  }));
  const chosen = (
    names.find((one) => one.names[0] === wanted) ?? names.find((one) => one.names.includes(wanted))
  )?.choice;
  if (chosen !== undefined) return chosen;
  const allowed = choices.map((choice) => [...new Set(namesOf(choice))].join(' or ')).join(', ');
  throw badRequestAs(
    'unknown-name',
    about(parameter, `'${asked}' is not known${allowed === '' ? '; there are none' : `. Try: ${allowed}`}.`),
    { value: asked, known: choices.map((choice) => namesOf(choice)[0] ?? '') },
  );
}

/** More of a value does not help to recognise it. */
const LONGEST_QUOTE = 60;

/** A value for a sentence, in quotes, its end left out when it is long. */
export function quoted(value: string): string {
  return `'${value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value}'`;
}
