import { fill, h, svg } from './dom.js';

const usualWidth = 600;
const height = 116;
const inset = { left: 48, right: 12, top: 14, bottom: 24 };

/** The native chart: a title, a drawing, a legend, and the numbers for those who cannot see the drawing. */
export function chart({ title, chart: given }) {
  const pie = given.type === 'pie';
  const names = pie ? given.segments.map(({ label }) => label) : given.series.map(({ name }) => name);
  const shares = pie ? pieShares(given.segments) : [];
  return h(
    'figure',
    { class: pie ? 'chart chart-pie' : 'chart' },
    h('figcaption', { class: 'chart-title' }, title),
    drawing(`${title}: ${spoken(given)}`, (width) =>
      pie ? pieDrawing(given.segments, width) : axes(given, width),
    ),
    (pie || names.length > 1) &&
      h(
        'ul',
        { class: 'legend' },
        names.map((name, index) =>
          h(
            'li',
            {},
            h('span', { class: `legend-mark series-${index}` }),
            name,
            pie && h('span', { class: 'legend-share' }, ` ${shares[index]}%`),
          ),
        ),
      ),
  );
}

/** Drawn again at every width, so that its letters keep their size. */
function drawing(label, parts) {
  const node = svg('svg', { class: 'chart-drawing', role: 'img', 'aria-label': label });
  const draw = (width) => {
    node.setAttribute('viewBox', `0 0 ${width} ${height}`);
    fill(node, parts(width));
  };
  draw(usualWidth);
  new ResizeObserver(
    ([{ contentRect }]) => contentRect.width > 0 && draw(Math.round(contentRect.width)),
  ).observe(node);
  return node;
}

function spoken(given) {
  const points = (data) => data.map(({ label, value }) => `${label} ${value}`).join(', ');
  return given.type === 'pie'
    ? points(given.segments)
    : given.series.map(({ name, data }) => `${name}: ${points(data)}`).join('; ');
}

function axes({ type, series, axis_config: { categories, x_label: xLabel, y_label: yLabel } }, width) {
  const values = series.map(({ data }) =>
    categories.map((category) => data.find(({ label }) => label === category)?.value ?? 0),
  );
  const { low, high, ticks } = scale(values.flat());
  const left = inset.left + (yLabel ? 16 : 0);
  const plotWidth = width - left - inset.right;
  const bottom = height - inset.bottom - (xLabel ? 14 : 0);
  const band = plotWidth / categories.length;
  const x = (index) => left + band * (index + 0.5);
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - inset.top);
  const drawn = { bar: bars, line: lines, area: areas }[type];
  return [
    ticks.map((tick) =>
      svg(
        'g',
        {},
        svg('line', { class: 'grid', x1: left, x2: width - inset.right, y1: y(tick), y2: y(tick) }),
        svg('text', { class: 'tick', x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, short(tick)),
      ),
    ),
    labels(categories, { band, left, y: bottom + 18, keep: indexOfHighest(values) }),
    xLabel &&
      svg(
        'text',
        { class: 'axis-label', x: left + plotWidth / 2, y: bottom + 33, 'text-anchor': 'middle' },
        xLabel,
      ),
    yLabel &&
      svg(
        'text',
        {
          class: 'axis-label',
          x: 0,
          y: 0,
          transform: `translate(12 ${(inset.top + bottom) / 2}) rotate(-90)`,
          'text-anchor': 'middle',
        },
        yLabel,
      ),
    drawn({ values, series, categories, x, y, band, zero: y(Math.max(low, 0)) }),
    svg('line', {
      class: 'base',
      x1: left,
      x2: width - inset.right,
      y1: y(Math.max(low, 0)),
      y2: y(Math.max(low, 0)),
    }),
  ];
}

/** Where the highest value of all series is; the last one of several, as it is the newest. */
function indexOfHighest(values) {
  const highest = values[0].map((_, index) => Math.max(...values.map((row) => row[index])));
  return highest.lastIndexOf(Math.max(...highest));
}

function labels(categories, { band, left, y, keep }) {
  return shownLabels(categories, { band, right: inset.right }, keep).map(({ text, middle }) =>
    svg('text', { class: 'tick', x: left + middle, y, 'text-anchor': 'middle' }, text),
  );
}

function bars({ values, series, categories, x, y, band, zero }) {
  const bar = Math.min(36, (band * 0.72) / series.length);
  return values.map((row, which) =>
    row.map((value, index) => {
      const top = Math.min(y(value), zero);
      return svg(
        'rect',
        {
          class: `series-${which}`,
          x: x(index) + (which - series.length / 2) * bar + 1,
          y: top,
          width: Math.max(1, bar - 2),
          height: Math.max(1, Math.abs(zero - y(value))),
          rx: 2,
        },
        svg('title', {}, `${series[which].name}, ${categories[index]}: ${value}`),
      );
    }),
  );
}

function lines({ values, series, categories, x, y }) {
  return values.map((row, which) =>
    svg(
      'g',
      { class: `series-${which}` },
      svg('polyline', {
        class: 'stroke',
        points: row.map((value, index) => `${x(index)},${y(value)}`).join(' '),
      }),
      row.map((value, index) =>
        svg(
          'circle',
          { cx: x(index), cy: y(value), r: 3.5 },
          svg('title', {}, `${series[which].name}, ${categories[index]}: ${value}`),
        ),
      ),
    ),
  );
}

function areas(plot) {
  const { values, x, y, zero } = plot;
  return [
    values.map((row, which) =>
      svg('polygon', {
        class: `series-${which} filled`,
        points: [
          `${x(0)},${zero}`,
          ...row.map((value, index) => `${x(index)},${y(value)}`),
          `${x(row.length - 1)},${zero}`,
        ].join(' '),
      }),
    ),
    lines(plot),
  ];
}

/** Round steps from the lowest to the highest value, zero included. */
function scale(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values) || 1;
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { low: first * step, high: last * step, ticks };
}

function short(value) {
  return new Intl.NumberFormat('en-US', {
    notation: Math.abs(value) >= 10_000 ? 'compact' : 'standard',
    maximumFractionDigits: 2,
  }).format(value);
}

/** Wider labels are shortened before others are left out. */
const LONGEST = 12;
const LETTER_WIDTH = 6.5;
const GAP = 6;

/**
 * The labels of an axis that neither run into each other nor over its right end.
 * @param {string[]} categories
 * @param {{band: number, right: number}} axis how wide one category is, and the room right of the last one (px)
 * @param {number} keep the index of the one that is never left out
 * @returns {{index: number, text: string, middle: number}[]} `middle` is counted from the start of the axis (px)
 */
export function shownLabels(categories, { band, right }, keep) {
  const end = band * categories.length + right;
  const longest = Math.max(...categories.map((category) => category.length));
  const step = Math.max(1, Math.ceil((Math.min(longest, LONGEST) * LETTER_WIDTH + GAP) / band));
  const all = categories.map((category, index) => {
    const isShortened = category.length > LONGEST && band * step < category.length * LETTER_WIDTH;
    const text = isShortened ? `${category.slice(0, LONGEST - 1)}…` : category;
    const half = (text.length * LETTER_WIDTH) / 2;
    return { index, text, half, middle: Math.min(band * (index + 0.5), end - half) };
  });
  const shown = [all[keep]];
  for (const label of all.slice(keep + 1)) if (fits(shown.at(-1), label)) shown.push(label);
  for (const label of all.slice(0, keep).reverse()) if (fits(label, shown[0])) shown.unshift(label);
  return shown.map(({ index, text, middle }) => ({ index, text, middle }));
}

function fits(before, after) {
  return after.middle - after.half - (before.middle + before.half) >= GAP;
}

const middle = 58;
const radius = 56;

/** The segments of a pie, clockwise from the top. */
function pieDrawing(segments, width) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return segments.map(({ label, value }, index) => {
    const start = before / total;
    before += value;
    const name = svg('title', {}, `${label}: ${value}`);
    // An arc that ends where it begins is nothing, so a whole pie is a circle.
    if (segments.length === 1)
      return svg('circle', { class: 'series-0 slice', cx: width / 2, cy: middle, r: radius }, name);
    return svg('path', { class: `series-${index} slice`, d: slice(start, before / total, width / 2) }, name);
  });
}

/**
 * The shares of segments in whole percent, which add up to 100: what rounding down leaves goes to those that lost most.
 * @param {{value: number}[]} segments
 */
export function pieShares(segments) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  const exact = segments.map(({ value }) => (100 * value) / total);
  const shares = exact.map(Math.floor);
  const lost = exact.map((share, index) => [share - shares[index], index]).sort(([a], [b]) => b - a);
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0);
  for (const [, index] of lost.slice(0, missing)) shares[index] += 1;
  return shares;
}

function slice(from, to, centre) {
  const point = (turn) =>
    `${centre + radius * Math.sin(turn * 2 * Math.PI)} ${middle - radius * Math.cos(turn * 2 * Math.PI)}`;
  return `M${centre} ${middle} L${point(from)} A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)} Z`;
}
