import type { Compilation } from '../compilation.ts';
import { refuse } from '../refuse.ts';
import type { ValueOperand } from '../syntax/query-tree.ts';
import { functionCalled } from './call.ts';
import { type Asked, byName, textOf, type Values } from './values.ts';

/**
 * Texts, asked for by words: every word of the query has to be in the text as a whole word, in any case and order; one
 * with `*` at its end has to begin a word; words in inner quotation marks have to follow each other. Unlike Jira, no
 * other form of a word is found. Signs with a meaning to Jira's search that is not offered here are refused.
 */
export function textValues(title: string, compilation: Compilation): Values {
  const refuseCall = (asked: Asked) => {
    if (asked.kind === 'call') functionCalled(asked, [], { compilation, title, inList: false });
  };
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'call') functionCalled(asked, [], { compilation, title, inList });
      throw refuse(
        compilation.name,
        asked,
        `cannot be compared with ${title}, which is a text; allowed: ~ and !~ search its words.`,
      );
    },
    contain: (asked) => {
      refuseCall(asked);
      const patterns = asked.kind === 'value' ? searchPatterns(asked, compilation) : [];
      return (item) => {
        const text = textOf(item);
        return patterns.every((pattern) => pattern.test(text));
      };
    },
    sortKey: byName,
  };
}

const LETTER = '[\\p{L}\\p{N}\\p{M}_]';
const word = new RegExp(`${LETTER}+`, 'gu');

function searchPatterns(asked: ValueOperand, { name }: Compilation): RegExp[] {
  const patterns: RegExp[] = [];
  const pieces = asked.text.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  for (const piece of pieces) {
    if (piece.startsWith('"')) {
      if (piece.length < 2 || !piece.endsWith('"'))
        throw refuse(name, asked, 'has an inner quotation mark that is not closed.');
      if (/[*?]/.test(piece))
        throw refuse(name, asked, 'has a * or ? within a phrase; allowed: whole words in a phrase.');
      patterns.push(...phrase(wordsOf(piece)));
      continue;
    }
    const unsupported = /^[-+!]|[?~^[\]{}()|&\\]|\*(?!$)|^\*|^(?:AND|OR|NOT)$/.exec(piece)?.[0];
    if (unsupported !== undefined) {
      throw refuse(
        name,
        asked,
        `has '${unsupported}' with a meaning that is not supported; allowed: words, a * at the end of a word, and phrases in inner quotation marks.`,
      );
    }
    const words = wordsOf(piece);
    const begun = piece.endsWith('*') ? words.at(-1) : undefined;
    for (const one of begun === undefined ? words : words.slice(0, -1)) patterns.push(...phrase([one]));
    if (begun !== undefined) patterns.push(new RegExp(`(?<!${LETTER})${begun}`, 'iu'));
  }
  if (patterns.length === 0)
    throw refuse(name, asked, 'has no word to search for; allowed: at least one word.');
  return patterns;
}

function wordsOf(text: string): readonly string[] {
  return text.match(word) ?? [];
}

/** Words hold letters and digits only, so they need no escaping. */
function phrase(words: readonly string[]): RegExp[] {
  const between = '[^\\p{L}\\p{N}\\p{M}_]+';
  return words.length === 0 ? [] : [new RegExp(`(?<!${LETTER})${words.join(between)}(?!${LETTER})`, 'iu')];
}
