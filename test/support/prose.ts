import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A text of the product that people may read, and where it is. */
export interface Prose {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Files of a folder with one of some endings, as paths from the root of the project, in alphabetical order. */
function filesIn(folder: string, endings: readonly string[]): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** Texts in the code of a folder that read as words: at least two in a row, or one that is a label; imports and types have none. */
export function proseOf(folder: string): readonly Prose[] {
  return filesIn(folder, ['.ts', '.js']).flatMap((file) => {
    const tree = parse(readFileSync(`${root}${file}`, 'utf8'), {
      sourceType: 'module',
      plugins: ['typescript', 'explicitResourceManagement'],
    });
    const found: Prose[] = [];
    collect(tree.program, (line, text) => found.push({ file, line, text }));
    return found;
  });
}

/** The text of a page, each line by itself; what is code there, and thus a name of something, is left out. */
export function proseOfPage(file: string): readonly Prose[] {
  let isCode = false;
  return readFileSync(`${root}${file}`, 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      if (/^\s*```/.test(text)) isCode = !isCode;
      return isCode ? [] : [{ file, line: i + 1, text: text.replaceAll(/`[^`]*`/g, '``') }];
    });
}

const isWords = /[A-Za-z’']{2,}[,.:;]? [A-Za-z’'`*]{1,}/;
const isLabel = /^[A-Z][a-z]+[…?!.]?$/;

function collect(node: unknown, found: (line: number, text: string) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, found);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const { type } = node;
  if (type === 'ImportDeclaration' || String(type).startsWith('TS')) {
    // A cast, a type assertion or `satisfies` holds an expression.
    if ('expression' in node) collect(node.expression, found);
    return;
  }
  if (type === 'StringLiteral' && 'value' in node) note(node, String(node.value), found);
  if (type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis)) {
    note(node, node.quasis.map((quasi) => String(quasi.value.cooked ?? '')).join('…'), found);
  }
  for (const [name, value] of Object.entries(node)) {
    if (name !== 'loc' && name !== 'comments' && !name.endsWith('Comments')) collect(value, found);
  }
}

function note(node: object, text: string, found: (line: number, text: string) => void): void {
  if (!isWords.test(text) && !isLabel.test(text)) return;
  const line = 'loc' in node ? (node.loc as { start: { line: number } }).start.line : 0;
  found(line, text);
}

/** The names and the comments in the code of a folder. */
export function wordsOfCode(folder: string): {
  readonly names: readonly string[];
  readonly comments: readonly string[];
} {
  const names: string[] = [];
  const comments: string[] = [];
  for (const file of filesIn(folder, ['.ts'])) {
    const tree = parse(readFileSync(`${root}${file}`, 'utf8'), {
      sourceType: 'module',
      plugins: ['typescript', 'explicitResourceManagement'],
      tokens: true,
    });
    for (const { type, value } of tree.tokens ?? []) {
      if (typeof type !== 'string' && ['name', 'privateName'].includes(type.label)) names.push(String(value));
    }
    for (const { value } of tree.comments ?? []) comments.push(value.replace(/^[*\s]+/, ''));
  }
  return { names, comments };
}
