import { cpus, totalmem } from 'node:os';
import { figureText, type Row, sizeName } from './rows.ts';

/** One line of a table: what is measured at all sizes of one run. */
type Line = Readonly<Record<string, string>>;

/** Best figures of an earlier version by `suite | name | size`, and what that version is called. */
export interface Before {
  readonly version: string;
  readonly best: Readonly<Record<string, number>>;
}

/** The rows of each suite as the lines of a table, sizes side by side. */
export function linesOf(rows: readonly Row[], before: Before | null): ReadonlyMap<string, readonly Line[]> {
  const suites = Map.groupBy(rows, ({ suite }) => suite);
  return new Map(
    [...suites].map(([suite, own]) => {
      const named = [...Map.groupBy(own, ({ name }) => name).values()];
      const sizes = [...new Set(own.flatMap(({ size }) => size ?? []))].sort((a, b) => a - b);
      return [suite, named.map((some) => lineOf(some, sizes, before))];
    }),
  );
}

export function beforeKey({ suite, name, size }: Pick<Row, 'suite' | 'name' | 'size'>): string {
  return `${suite} | ${name} | ${size ?? ''}`;
}

function lineOf(rows: readonly Row[], sizes: readonly number[], before: Before | null): Line {
  const sorted = rows.toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0));
  const largest = sorted.at(-1);
  if (largest === undefined) return {};
  const cells = Object.fromEntries(
    sizes.map((size) => {
      const row = sorted.find((one) => one.size === size);
      return [sizeName(size), row === undefined ? '' : spreadText(row)];
    }),
  );
  const known = sorted.toReversed().flatMap((row) => {
    const best = before?.best[beforeKey(row)];
    return best === undefined
      ? []
      : [`${figureText(best)}${row.size === null ? '' : ` (${sizeName(row.size)})`}`];
  });
  return {
    what: `${largest.name}${largest.unit === 'ms' ? '' : `, ${largest.unit}`}`,
    figure: largest.size === null ? spreadText(largest) : '',
    ...cells,
    ...largest.columns,
    growth: growthText(sorted),
    against: againstText(largest),
    'processor ms': largest.cpuMs === null ? '' : figureText(largest.cpuMs),
    'loop late, held':
      largest.lateMs === null ? '' : `${figureText(largest.lateMs)}, ${figureText(largest.heldMs ?? 0)}`,
    'peak MB': largest.peakMb === null ? '' : figureText(largest.peakMb),
    'promised, kept': promisesText(sorted),
    ...(before === null ? {} : { [`before (${before.version})`]: known[0] ?? '' }),
    ...faultOf(sorted),
  };
}

function faultOf(rows: readonly Row[]): Line {
  const faults = rows.flatMap(({ fault }) => fault ?? []);
  return faults.length === 0 ? {} : { fault: faults.join('; ') };
}

function spreadText({ median, least, most, repeats, unit, first }: Row): string {
  const isOne = repeats === 1 && Object.is(least, most);
  const spread = isOne
    ? figureText(median)
    : `${figureText(median)} (${figureText(least)}–${figureText(most)})`;
  return first === null || unit !== 'ms' ? spread : `${spread}, first ${figureText(first)}`;
}

/** Each promise once, with the sizes at which it is kept and at which it is not. */
function promisesText(rows: readonly Row[]): string {
  const all = rows.flatMap(({ size, promises }) => promises.map((one) => ({ ...one, size })));
  const texts = [...Map.groupBy(all, ({ text }) => text)].map(([text, some]) => {
    const sizes = (isKept: boolean) =>
      some
        .filter(({ kept, size }) => kept === isKept && size !== null)
        .map(({ size }) => sizeName(size ?? 0));
    const said = (word: string, isKept: boolean) => {
      if (!some.some(({ kept }) => kept === isKept)) return [];
      const at = sizes(isKept);
      return [at.length === 0 ? word : `${word} (${at.join(', ')})`];
    };
    return `${text}: ${[...said('yes', true), ...said('NO', false)].join(', ')}`;
  });
  return texts.join('; ');
}

/** From one size to the next largest, and from the smallest to the largest. */
function growthText(rows: readonly Row[]): string {
  const [smallest, largest] = [rows[0], rows.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return '';
  return `${figureText(largest.least / smallest.least)} × (${sizeName(smallest.size ?? 0)} → ${sizeName(largest.size ?? 0)})`;
}

function againstText({ against }: Row): string {
  return against
    .map(({ name, ratio, note }) => {
      if (ratio === null) return `${name}: ${note}`;
      return ratio < 1 ? `${figureText(1 / ratio)} × as fast as ${name}` : `${figureText(ratio)} × ${name}`;
    })
    .join('; ');
}

/** The table of each suite as a page shows it. */
export function markdown(rows: readonly Row[], before: Before | null): ReadonlyMap<string, string> {
  const shown = rows.filter(({ isDetail = false }) => !isDetail);
  return new Map([...linesOf(shown, before)].map(([suite, lines]) => [suite, tableOf(lines)]));
}

/** Columns without any content are left out. */
function tableOf(lines: readonly Line[]): string {
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))].filter((column) =>
    lines.some((line) => (line[column] ?? '') !== ''),
  );
  const table = [
    columns,
    columns.map(() => '---'),
    ...lines.map((line) => columns.map((column) => (line[column] ?? '').replaceAll('|', '\\|'))),
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The machine in a line. */
export function machineText(): string {
  const all = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${all[0]?.model.trim() ?? 'A processor'}, ${all.length} threads, ${gigabytes} GiB, Node ${process.versions.node}`;
}
