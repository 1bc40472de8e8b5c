import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { BrokenJson, jsonElements } from '../../../src/trackers/file/json-elements.ts';
import { runs } from '../../support/soak.ts';

interface Outcome {
  readonly texts: string[];
  readonly offsets: number[];
  readonly problem: string | null;
}

/** What comes out of the text when it arrives in pieces of these lengths, over and over. */
async function elementsOf(
  text: string | Uint8Array,
  lengths: readonly number[] = [1 << 20],
  longest?: number,
): Promise<Outcome> {
  const texts: string[] = [];
  const offsets: number[] = [];
  try {
    const found = jsonElements(pieces(Buffer.from(text), lengths), longest === undefined ? {} : { longest });
    for await (const { elements } of found) {
      for (const { bytes, offset, role } of elements) {
        if (role === 'names') continue;
        texts.push(bytes.toString());
        offsets.push(offset);
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return { texts, offsets, problem: error.message };
  }
  return { texts, offsets, problem: null };
}

/** The members that are handed out as a whole, by name. */
async function membersOf(text: string, lengths: readonly number[]): Promise<Record<string, string>> {
  const members: Record<string, string> = {};
  for await (const { elements } of jsonElements(pieces(Buffer.from(text), lengths))) {
    for (const { bytes, role } of elements) if (role === 'names') members[role] = bytes.toString();
  }
  return members;
}

function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const length = lengths[i % lengths.length] ?? 1;
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

const chunking = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const anyElements = fc.array(fc.jsonValue(), { maxLength: 8 });

/** Ways in which an export can wrap the same elements. */
const wrappings: Record<string, (elements: readonly unknown[]) => string> = {
  'a search result': (elements) =>
    JSON.stringify({ startAt: 0, names: { issues: 'Issues' }, issues: elements, 'issues"': [1], done: true }),
  'an indented search result': (elements) => JSON.stringify({ total: 1, issues: elements }, null, 2),
  'an answer that calls its list values': (elements) => JSON.stringify({ self: 'x', values: elements }),
  'a bare list': (elements) => JSON.stringify(elements),
  'a text with a byte-order mark': (elements) => `\ufeff${JSON.stringify(elements)}`,
  'one answer per line': (elements) =>
    elements.map((one) => JSON.stringify({ issues: [one] })).join('\n') || '{"issues":[]}',
  'an answer within an answer': (elements) => JSON.stringify({ data: [{ page: { issues: elements } }] }),
};

describe('jsonElements', () => {
  test.each(Object.entries(wrappings))('hands out every element of %s, however it is chunked', (_, wrap) =>
    fc.assert(
      fc.asyncProperty(anyElements, chunking, async (elements, lengths) => {
        const { texts, problem } = await elementsOf(wrap(elements), lengths);
        expect(problem).toBeNull();
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(elements)));
      }),
    ),
  );

  test('tells at which byte an element starts', () =>
    fc.assert(
      fc.asyncProperty(anyElements, chunking, async (elements, lengths) => {
        const bytes = Buffer.from(JSON.stringify({ ключ: 1, issues: elements }));
        const { texts, offsets } = await elementsOf(bytes, lengths);
        texts.forEach((text, i) => {
          const at = offsets[i] ?? -1;
          expect(bytes.subarray(at, at + Buffer.byteLength(text)).toString()).toBe(text);
        });
      }),
    ));

  test('any garbage gives elements or a BrokenJson, the same however it is chunked', () => {
    const pieceOfJson = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        ',',
        ':',
        'issues',
        '"issues":[',
        'null',
        '-1',
        ' ',
        '\u0000',
        'é',
        '<p>',
      ],
    );
    const soup = fc.array(pieceOfJson, { maxLength: 40 }).map((words) => Buffer.from(words.join('')));
    return fc.assert(
      fc.asyncProperty(
        fc.oneof(soup, fc.uint8Array({ maxLength: 200 })),
        chunking,
        async (bytes, lengths) => {
          expect(await elementsOf(bytes, lengths)).toEqual(await elementsOf(bytes));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('a result that breaks off hands out every element before the break', () =>
    fc.assert(
      fc.asyncProperty(anyElements, fc.double({ min: 0, max: 1, noNaN: true }), async (elements, share) => {
        const whole = Buffer.from(JSON.stringify({ issues: elements, total: 1 }));
        const { texts, offsets } = await elementsOf(whole);
        const end = Math.floor(whole.length * share);
        const cut = await elementsOf(whole.subarray(0, end));
        const before = texts.filter((text, i) => (offsets[i] ?? 0) + Buffer.byteLength(text) < end);
        expect(cut.texts).toEqual(before);
        if (end < whole.length) expect(cut.problem).not.toBeNull();
      }),
    ));

  test('hands out the names of an answer as a whole, wherever they stand, and none from further down', () =>
    fc.assert(
      fc.asyncProperty(anyElements, chunking, fc.boolean(), async (elements, lengths, before) => {
        const names = { customfield_1: 'A "quoted" [title]', issues: 'Issues' };
        const issues = [...elements, { names: { x: 'X' } }];
        const text = JSON.stringify(before ? { names, issues } : { issues, names, schema: { names: {} } });
        const { texts, problem } = await elementsOf(text, lengths);
        expect([texts.length, problem]).toEqual([issues.length, null]);
        expect(await membersOf(text, lengths)).toEqual({ names: JSON.stringify(names) });
      }),
    ));

  test('only an answer’s own list of values is one; an answer without a list is an element', async () => {
    const text = '{"page":{"values":[1]},"names":["a"]}';
    expect(await elementsOf(text)).toEqual({ texts: [text], offsets: [0], problem: null });
  });

  test('hands out whole answers without a list one after another, however they are chunked', () => {
    const answer = fc
      .record({
        before: fc.jsonValue(),
        member: fc.constantFrom('key', 'fields', 'changelog', 'id'),
        value: fc.jsonValue(),
      })
      .map(({ before, member, value }) => ({ self: before, [member]: value, after: [before] }))
      // A list of issues within it would be handed out by itself where no member says that it is an issue.
      .filter((one) => !('id' in one) || !JSON.stringify(one).includes('"issues"'));
    const separator = fc.constantFrom('\n', '\r\n', ' ', '');
    return fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 6 }),
        separator,
        chunking,
        async (answers, between, lengths) => {
          const texts = answers.map((one) => JSON.stringify(one));
          const found = await elementsOf(texts.join(between), lengths);
          expect([found.texts, found.problem]).toEqual([texts, null]);
          expect(found.offsets).toEqual(
            texts.map(
              (_, i) => Buffer.byteLength(texts.slice(0, i).join(between)) + (i > 0 ? between.length : 0),
            ),
          );
        },
      ),
    );
  });

  test('an answer that is neither an issue nor a list is not kept beyond what one is long', async () => {
    const long = JSON.stringify({ note: 'x'.repeat(5 << 20) });
    expect(await elementsOf(long)).toEqual({
      texts: [],
      offsets: [],
      problem: 'the file holds no list of issues',
    });
    const { texts } = await elementsOf(`{"note":"${'x'.repeat(5 << 20)}","issues":[1]}`);
    expect(texts).toEqual(['1']);
  });

  test('a list named "issues" within an element belongs to the element', async () => {
    const { texts } = await elementsOf('{"issues":[{"issues":[{"key":"DEMO-1"}]},[{"key":"DEMO-2"}]]}');
    expect(texts).toEqual(['{"issues":[{"key":"DEMO-1"}]}', '[{"key":"DEMO-2"}]']);
  });

  test('a broken element costs only itself where its brackets are even', async () => {
    const { texts, problem } = await elementsOf('[{"key":oops}, {"a":[1}}, {"key":"DEMO-2"}]');
    expect(texts).toEqual(['{"key":oops}', '{"a":[1}}', '{"key":"DEMO-2"}']);
    expect(problem).toBeNull();
  });

  test('the elements before a broken place are handed out though they came in the same chunk', async () => {
    expect(await elementsOf('{"issues":[{"key":"DEMO-1"}, <oops>')).toEqual({
      texts: ['{"key":"DEMO-1"}'],
      offsets: [11],
      problem: "it is no list of issues in JSON: unexpected '<' at byte 29",
    });
  });

  test.each([
    ['nothing', '', 'the file is empty'],
    ['blank lines', ' \n\t\r\n', 'the file is empty'],
    ['a web page', '<!doctype html>', "it is no list of issues in JSON: unexpected '<' at byte 0"],
    ['a sentence', '"Unauthorized"', `it is no list of issues in JSON: unexpected '"' at byte 0`],
    ['the wrong bracket', '{"issues":[}', "it is no list of issues in JSON: unexpected '}' at byte 11"],
    ['a bracket too many', '[]]', "it is no list of issues in JSON: unexpected ']' at byte 2"],
    ['a missing end', '{"issues":[]', 'the file ends before its JSON does'],
    ['half an element', '{"issues":[{"a":', 'the file ends inside the entry that starts at byte 11'],
    ['half a string', '["a', 'the file ends inside the entry that starts at byte 1'],
    ['half an issue', '{"key":"DEMO-1', 'the file ends inside the entry that starts at byte 0'],
    ['half a key', '{"iss', 'the file ends before its JSON does'],
    ['a byte no text has', '[\u0000]', 'it is no list of issues in JSON: unexpected byte value 0 at byte 1'],
  ])('%s is refused in words', async (_, text, problem) => {
    expect(await elementsOf(text)).toEqual({ texts: [], offsets: [], problem });
  });

  test('an empty list is a list', async () => {
    expect(await elementsOf('{"issues":[],"total":0}')).toEqual({ texts: [], offsets: [], problem: null });
  });

  test('an element of a size no issue has ends the reading instead of filling the memory', () =>
    fc.assert(
      fc.asyncProperty(chunking, async (lengths) => {
        const { texts, problem } = await elementsOf(`["short",{"a":"${'x'.repeat(200)}"}]`, lengths, 100);
        expect(texts).toEqual(['"short"']);
        expect(problem).toBe('the entry that starts at byte 9 is longer than 100 bytes');
      }),
    ));

  test('brackets without end are refused', async () => {
    const { problem } = await elementsOf('{"a":'.repeat(100_000));
    expect(problem).toContain('unexpected');
  });
});
