/** How a percentile is made. */
export function percentileRule(percent: number): string {
  return percent === 50
    ? 'It is the median: half of them are not longer. Between two in the middle it is halfway.'
    : `It is their ${percent}th percentile: ${percent} % of them are not longer. Between two of them it is interpolated (Hyndman and Fan, type 7), as spreadsheets do.`;
}

/** How an average is made. */
export const averageRule = 'It is their average: their sum, divided by how many they are.';
