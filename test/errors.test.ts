import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { AppError, about, badRequest, errorReasons } from '../src/model/error.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(`${src}${file}`, 'utf8')]),
);

/** What an error says, however it is called where it is caught. */
const said = String.raw`(?:\b(?:messages?|details|sentences?)\b(?:\[[^\]]*\])?|\b(?:sentencesOf|clauseOf|failureText)\([^()]*\)(?:\[[^\]]*\])?)`;
const between = String.raw`(?:\s*\??\.(?:join|at|map|filter)\([^()]*\))*`;
/** A test of its text, a piece of it, or another text made of it. */
const readings = [
  new RegExp(
    String.raw`${said}${between}\s*\??\.(?:startsWith|endsWith|includes|indexOf|lastIndexOf|search|match|matchAll|split|replace|replaceAll|substring)\(`,
  ),
  new RegExp(String.raw`\.(?:test|exec)\(\s*[\w.]*${said}`),
  /(?<!typeof )\b(?:message|sentence)\s*[!=]==\s*(?:['"`]|[A-Z_]{3,}\b)/,
];

/** Where the text is not that of an error of ours, or only its marks change. */
const exceptions: Readonly<Record<string, string>> = {
  'model/error.ts': 'a sentence loses its point within another, or gets a colon before its details',
  'slack/answers/answer-view.ts': 'the sentences are of an answer, set in lines',
  'slack/app/slack-refusal.ts': 'the client of Slack has no other word for it',
  'store/postgres/postgres-errors.ts': 'the driver has no other word for a password that is missing',
  'selection/jql/parse-jql.ts': 'the parser of Atlassian says in words only what it expects',
  'cli/read-command-line.ts': 'Commander names the option and what is like it in words only',
  'hosted/create-keychain-records.ts': 'the sentences are of the delegation service',
  'hosted/hosted-client.ts': 'the sentences are of a hosted service',
  'trackers/jira/jira-profile.ts': 'the sentences are of Jira',
  'trackers/jira/jira-search.ts': 'the sentences are of Jira',
};

test('no code reads what an error says', () => {
  const reading = [...sources].flatMap(([file, text]) => {
    const found = readings.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
    return found.length === 0 ? [] : [[file, found] as const];
  });
  expect(reading.filter(([file]) => exceptions[file] === undefined)).toEqual([]);
  expect(Object.keys(exceptions).filter((file) => !reading.some(([other]) => other === file))).toEqual([]);
});

test('every reason is thrown somewhere', () => {
  const thrown = [...sources]
    .filter(([file]) => file !== 'model/error.ts')
    .map(([, text]) => text.replaceAll(/[!=]==\s*'[^']*'/g, ''));
  const unused = Object.keys(errorReasons).filter(
    (reason) => !thrown.some((text) => text.includes(`'${reason}'`)),
  );
  expect(unused).toEqual([]);
});

test('what is wrong with a field is a whole sentence, also by its field, and can be told of it by another name', () => {
  const error = badRequest(
    about('week', "'99' is no week."),
    about('week', 'is late.'),
    'Nothing is changed.',
  );
  expect(error).toMatchObject({
    ...{ code: 'bad-request', reason: 'invalid-value', message: 'Bad request' },
    details: ["week '99' is no week.", 'week is late.', 'Nothing is changed.'],
    fields: { week: "week '99' is no week. week is late." },
  });
  expect(error.parts[1]).toEqual({ field: 'week', problem: ' is late.' });
  const facts = { fields: { week: 'Another week.' }, data: { value: '99' } };
  const explicit = new AppError('missing-right', 'Not allowed', [about('week', 'is late.')], facts);
  expect(explicit).toMatchObject({ code: 'not-allowed', fields: facts.fields, data: facts.data });
});
