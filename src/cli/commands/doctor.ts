import { type CliParts, createCommand, isoTime, type JsonOutput, printable } from '../cli-command.ts';
import type { Finding, FindingLevel } from '../finding.ts';

/** The parts of the command. */
export type DoctorParts = Pick<CliParts, 'doctor' | 'now' | 'out' | 'progress'>;

/** Each says what it means without color as well. */
const symbols: Readonly<Record<FindingLevel, string>> = { ok: '✓', note: '–', warning: '!', problem: '✗' };

/** Columns of a name of a check, and of a whole line. */
const NAME = 12;
const WIDTH = 100;
const INDENT = ' '.repeat(NAME + 3);

/** Checks an installation, and says how to mend what is wrong. */
export const doctor = createCommand({
  name: 'doctor',
  usage: 'doctor [--thorough]',
  summary: 'check the installation, and say how to mend what is wrong',
  details:
    'Run this first when something is wrong. It checks the settings, Node, the disk, the store, the clock, Slack, the tracker and the other services, and changes nothing. It works while Dwell runs and while it cannot start. ✓ is right, – good to know, ! a warning, ✗ a problem. The exit code is 1 if there is a problem, else 0. Secrets are not shown.',
  options: {
    '--thorough':
      'also read the whole database for damage: some seconds for a gigabyte, more from a slow disk',
    '--json':
      'print JSON: { at, problems, warnings, findings: [{ check, level, text, cure }] }; level is ok, note, warning or problem, cure null where there is nothing to do',
  },
  examples: ['doctor', 'doctor --json'],
  async run(typed, { doctor: { examine }, now, out, progress, json }: DoctorParts & JsonOutput) {
    const all: ({ readonly check: string } & Finding)[] = [];
    const onWait = (check: string) => progress(`Checking: ${check}`);
    for await (const { check, findings } of examine(typed.isOn('thorough'), onWait)) {
      progress('');
      for (const { level, text, cure } of findings) {
        for (const line of linesOf(check, { level, text: printable(text), cure })) out(line);
        all.push({ check, level, text, cure });
      }
    }
    const countOf = (level: FindingLevel) => all.filter((one) => one.level === level).length;
    const [problems, warnings] = [countOf('problem'), countOf('warning')];
    out(summaryOf(problems, warnings));
    json({ at: isoTime(now()), problems, warnings, findings: all });
    return problems > 0 ? 1 : 0;
  },
});

/** A finding on one line, its cure below it where both do not fit there. */
function linesOf(check: string, { level, text, cure }: Finding): readonly string[] {
  const start = `${symbols[level]} ${check.padEnd(NAME)} `;
  const room = WIDTH - INDENT.length;
  const together = cure === null ? text : `${text} ${cure}`;
  const parts = together.length <= room ? [together] : [...wrapped(text, room), ...wrapped(cure ?? '', room)];
  return parts.map((part, i) => `${i === 0 ? start : INDENT}${part}`);
}

/** A text in lines of some columns at most, unless a word is longer. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else if (word !== '') lines.push(word);
  }
  return lines;
}

function summaryOf(problems: number, warnings: number): string {
  const counts = [
    ...(problems === 0 ? [] : [problems === 1 ? '1 problem' : `${problems} problems`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? '1 warning' : `${warnings} warnings`]),
  ];
  return counts.length === 0 ? 'Everything is all right.' : `${counts.join(', ')}.`;
}
