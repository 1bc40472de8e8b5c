type Dash = number | (number | number[])[];

/** The look of a series; no two of the first eight share any of it, so that colors need not be distinguished. */
interface Display {
  readonly color: string;
  /** The pattern of a bar or a slice. */
  readonly decal: {
    readonly symbol: string;
    readonly symbolSize?: number;
    readonly dashArrayX?: Dash;
    readonly dashArrayY?: number | number[];
    readonly rotation?: number;
    readonly color: string;
  };
  /** The sign at a point of a line. */
  readonly mark: string;
  readonly stroke: 'solid' | 'dashed' | 'dotted' | number[];
}

const light = 'rgba(255, 255, 255, 0.65)';
const stripes = (rotation: number) => ({
  symbol: 'rect',
  dashArrayX: [1, 0],
  dashArrayY: [2, 5],
  rotation,
  color: light,
});
const plain: Display = {
  color: '#0072B2',
  decal: { symbol: 'none', color: light },
  mark: 'circle',
  stroke: 'solid',
};

/**
 * Colours that people of every colour vision tell apart (Okabe and Ito, "Color Universal Design", 2008); grey stands
 * for black, which would look like letters.
 */
const looks: readonly Display[] = [
  plain,
  { color: '#E69F00', decal: stripes(-Math.PI / 4), mark: 'rect', stroke: 'dashed' },
  {
    color: '#009E73',
    decal: {
      symbol: 'circle',
      symbolSize: 0.7,
      dashArrayX: [
        [6, 6],
        [0, 6, 6, 0],
      ],
      dashArrayY: [6, 0],
      color: light,
    },
    mark: 'triangle',
    stroke: 'dotted',
  },
  { color: '#CC79A7', decal: stripes(Math.PI / 4), mark: 'diamond', stroke: [10, 3, 2, 3] },
  { color: '#56B4E9', decal: stripes(0), mark: 'emptyCircle', stroke: [14, 4] },
  { color: '#D55E00', decal: stripes(Math.PI / 2), mark: 'emptyRect', stroke: [2, 2] },
  {
    color: '#F0E442',
    decal: {
      symbol: 'triangle',
      symbolSize: 0.8,
      dashArrayX: [
        [8, 8],
        [0, 8, 8, 0],
      ],
      dashArrayY: [8, 0],
      color: '#8A8B8F',
    },
    mark: 'emptyTriangle',
    stroke: [8, 2, 2, 2, 2, 2],
  },
  {
    color: '#5A5A5A',
    decal: {
      symbol: 'rect',
      dashArrayX: [
        [4, 4],
        [0, 4, 4, 0],
      ],
      dashArrayY: [4, 0],
      color: light,
    },
    mark: 'pin',
    stroke: [1, 4],
  },
];

/** The look of the series or slice with this index. */
export function lookOf(index: number): Display {
  return looks[index % looks.length] ?? plain;
}
