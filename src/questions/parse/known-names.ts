/** Names that a word could have been, and how many more there are. */
export interface KnownNames {
  readonly names: readonly string[];
  readonly unlisted: number;
}

/** The names that the reporting port allows instead of a sprint or a project it does not know; none in other sentences. */
export function knownNames(sentence: string): KnownNames {
  const [, listed = '', more = '0'] =
    /is not a (?:value of sprint|project) that is known here; allowed: (.+?)(?: and (\d+) more)?\.$/s.exec(
      sentence,
    ) ?? [];
  return { names: listed === '' ? [] : listed.split(', '), unlisted: Number(more) };
}
