import { limits } from './limits.ts';
import { all, byType, isRecord, list, number, oneOf, type Rule, shape, string } from './rule.ts';

const { chart: most } = limits;
const label = string({ max: most.label });
const points = list(shape({ label, value: number() }), { max: most.points });
const axisConfig = shape(
  { categories: list(label, { max: most.points }) },
  { x_label: string({ max: most.axisLabel }), y_label: string({ max: most.axisLabel }) },
);

function membersNamed(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((each) => each[name]);
}

function repeats(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

const seriesFitAxis: Rule = (value, path, { say }) => {
  if (!isRecord(value) || !isRecord(value.axis_config)) return;
  const categories = value.axis_config.categories;
  if (!Array.isArray(categories)) return;
  if (repeats(categories)) say(`${path}/axis_config/categories`, 'must be unique');
  if (repeats(membersNamed(value.series, 'name'))) say(`${path}/series`, 'names must be unique');
  membersNamed(value.series, 'data').forEach((data, index) => {
    const labels = membersNamed(data, 'label');
    const fits = labels.length === categories.length && categories.every((each) => labels.includes(each));
    if (!fits) say(`${path}/series/${index}/data`, 'must have exactly one point for every category');
  });
};

function alongAxis(type: string): Rule {
  return all(
    shape({
      type: oneOf(type),
      series: list(shape({ name: label, data: points }), { max: most.series }),
      axis_config: axisConfig,
    }),
    seriesFitAxis,
  );
}

const positive: Rule = (value, path, inspection) => {
  if (typeof value === 'number' && value <= 0) inspection.say(path, 'must be more than 0');
  else number()(value, path, inspection);
};

const uniqueSegments: Rule = (value, path, { say }) => {
  if (isRecord(value) && repeats(membersNamed(value.segments, 'label')))
    say(`${path}/segments`, 'labels must be unique');
};

/** The native chart: pie, bar, line or area. */
export const dataVisualization: Rule = shape(
  {
    type: oneOf('data_visualization'),
    title: string({ max: most.title }),
    chart: byType('chart', {
      pie: all(
        shape({
          type: oneOf('pie'),
          segments: list(shape({ label, value: positive }), { max: most.series }),
        }),
        uniqueSegments,
      ),
      bar: alongAxis('bar'),
      line: alongAxis('line'),
      area: alongAxis('area'),
    }),
  },
  { block_id: string({ max: limits.id }) },
);
