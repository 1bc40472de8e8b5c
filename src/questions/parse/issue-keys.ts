/** What somebody typed where issue keys belong: the keys, each once and in upper case, and the words that are none. */
export interface TypedKeys {
  readonly keys: readonly string[];
  readonly others: readonly string[];
}

const bare = /^[A-Z][A-Z0-9_]*-\d+$/i;

/** A key may come bare, with punctuation around it, or inside a link to the issue, as people paste them. */
export function readIssueKeys(words: readonly string[]): TypedKeys {
  const keys = new Set<string>();
  const others: string[] = [];
  for (const word of words.flatMap((one) => one.split(/[,;]/)).filter((one) => one !== '')) {
    const plain = word.replace(/^[<("'`*_]+|[>)"'`*_.:!?]+$/g, '');
    const linked = /\/browse\/([A-Z][A-Z0-9_]*-\d+)/i.exec(plain)?.[1];
    const key = linked ?? (bare.test(plain) ? plain : null);
    if (key === null) others.push(word);
    else keys.add(key.toUpperCase());
  }
  return { keys: [...keys], others };
}
