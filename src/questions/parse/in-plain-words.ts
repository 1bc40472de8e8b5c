/** How this door calls what the reporting port names as programs do. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^customjql\b/, 'JQL'],
  [/^projectKey\b/, 'project'],
  [/^jqlFilterID\b/, 'filter'],
  [/^sprintID\b/, 'sprint'],
];

/** A refusal's sentence with the words of a command. */
export function inPlainWords(sentence: string): string {
  return words.reduce((text, [name, word]) => text.replace(name, word), sentence);
}
