import { aggregationTypes } from '../model/request.ts';
import { decimalNumber, oneOf } from './parameter.ts';

/** How many issues become one figure; which statistic it is, is told elsewhere. */
export const figureParameters = {
  averageDenominator: oneOf(['nonNull', 'all'], { allIssues: 'all' }).default('nonNull').meta({
    description:
      'What an average and a standard deviation divide by: the issues with a value in the column, or all of them, one without a value counting as zero.',
  }),
  stddevType: oneOf(['population', 'sample'])
    .default('population')
    .meta({ description: 'Which standard deviation is meant.' }),
};

/** The statistic of an aggregation. */
export const statisticParameters = {
  aggregationType: oneOf(aggregationTypes).meta({
    description: 'The statistic. percentile is an extension of ours.',
  }),
  percentile: decimalNumber(0, 100)
    .default(85)
    .meta({ description: 'With aggregationType percentile: which one.' }),
  ...figureParameters,
};
