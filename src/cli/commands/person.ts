import { open } from 'node:fs/promises';
import { badRequest, badRequestAs, systemCode } from '../../model/error.ts';
import { type CliParts, createCommand, type JsonOutput, printable } from '../cli-command.ts';

/** The places that no command reaches, for those who have to. */
const NOT_REACHED = [
  'Not reached: backups, logs, files that people downloaded, messages in Slack, and text that people wrote.',
  'Delete older backups. After one was restored, run this command again.',
];

/** Exports what is stored about a person, or replaces them by a pseudonym for good. */
export const person = createCommand({
  name: 'person',
  usage: 'person export ACCOUNT [FILE] | erase ACCOUNT [--dry-run | --yes]',
  summary: 'export what is stored about a person, or erase them',
  details:
    'erase replaces the person by one pseudonym everywhere, for good, also in what the tracker sends later; figures stay the same. Dwell can run meanwhile. If it is interrupted, run it again. The exit code is 1 if anything but text that people wrote is left.',
  words: {
    '[export|erase]': 'what to do',
    '[ACCOUNT]': 'an id, email address or full name that one user has; after an erasure the pseudonym, too',
    '[FILE]': 'of export: the JSON file to write, which must not exist (default: print it)',
  },
  options: {
    '--dry-run': 'with erase: show what would be replaced, and replace nothing',
    '--yes': 'with erase: do it; this cannot be undone',
    '--json':
      'print JSON: { account, pseudonym, isErased, found, left }; with export and FILE { account, file, records }',
  },
  examples: ['person export ada ada.json', 'person erase ada --dry-run', 'person erase ada --yes'],
  async run(typed, parts) {
    const [verb, account = '', file, surplus] = typed.words;
    if (verb !== 'export' && verb !== 'erase') {
      if (verb === undefined)
        throw badRequestAs('missing-value', `What to do is missing. Try: ${person.usage}.`);
      throw badRequestAs('unknown-name', `'${verb}' is not known. Try: export, erase.`);
    }
    if (account === '') throw badRequestAs('missing-value', `ACCOUNT is missing. Try: ${person.usage}.`);
    const extra = verb === 'erase' ? file : surplus;
    if (extra !== undefined)
      throw badRequestAs('unknown-parameter', `Unexpected argument '${extra}'. Try: ${person.usage}.`);
    if (verb === 'export') return exportPerson({ account, file: file ?? null }, parts);
    const [isDry, isConfirmed] = [typed.isOn('dry-run'), typed.isOn('yes')];
    if (isDry && isConfirmed)
      throw badRequestAs('conflicting-values', '--dry-run and --yes cannot be used together.');
    if (!isDry && !isConfirmed) {
      throw badRequestAs(
        'missing-value',
        `Erasing a person cannot be undone. See what it does with --dry-run, then repeat it with --yes.`,
      );
    }
    return erasePerson(account, isDry, parts);
  },
});

async function exportPerson(
  { account, file }: { readonly account: string; readonly file: string | null },
  { persons, out, json }: CliParts & JsonOutput,
): Promise<number> {
  const found = await persons.find(account);
  if (file === null) {
    let text = '';
    await persons.export(found, async (piece) => {
      text += piece;
    });
    json(JSON.parse(text));
    for (const line of text.trimEnd().split('\n')) out(line);
    return 0;
  }
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    if (systemCode(error) === 'EEXIST') throw badRequest(`FILE '${file}' exists already. Try: another name.`);
    throw badRequest(`FILE '${file}' cannot be written (${systemCode(error)}). Try: another folder.`);
  });
  try {
    const records = await persons.export(found, (piece) => handle.appendFile(piece));
    json({ account: found.account, file, records });
    out(printable(`${records} records about ${found.account ?? found.pseudonym.id} are in ${file}.`));
  } finally {
    await handle.close();
  }
  return 0;
}

async function erasePerson(
  typed: string,
  isDry: boolean,
  { persons, out, json, progress }: CliParts & JsonOutput,
): Promise<number> {
  const found = await persons.find(typed);
  const { account, accounts, texts, pseudonym } = found;
  const onPlace = (place: string) => progress(`Searching: ${place}`);
  const before = await persons.search(found, onPlace);
  const called = texts.length === 0 ? '' : ` (${texts.join(', ')})`;
  const others = accounts.slice(1);
  const also = others.length === 0 ? '' : `, also ${others.join(', ')},`;
  const becomes = isDry ? 'would become' : 'becomes';
  out(printable(`${account ?? typed}${called}${also} ${becomes} ${pseudonym.name} (${pseudonym.id}).`));
  printTraces(before, 'records', out);
  if (isDry) {
    json({ account, pseudonym, isErased: found.isErased, found: before, left: null });
    out('Nothing was replaced. To erase the person, repeat this with --yes in place of --dry-run.');
    return 0;
  }
  await persons.erase(found, (place) => progress(`Replacing: ${place}`));
  const left = await persons.search(found, onPlace);
  json({ account, pseudonym, isErased: true, found: before, left });
  const isClean = left.every(({ records }) => records === 0);
  out(isClean ? 'The person is erased.' : 'Something was stored meanwhile; run the command again:');
  if (!isClean) printTraces(left, 'records', out);
  if (left.some(({ inText }) => inText > 0)) {
    out('Names that are still in text that people wrote:');
    printTraces(left, 'inText', out);
  }
  for (const line of NOT_REACHED) out(line);
  return isClean ? 0 : 1;
}

function printTraces(
  traces: Awaited<ReturnType<CliParts['persons']['search']>>,
  of: 'records' | 'inText',
  out: (line: string) => void,
): void {
  for (const trace of traces) if (trace[of] > 0) out(printable(`  ${trace.place}: ${trace[of]}`));
}
