import type { EChartsOption } from 'echarts';

/** What ECharts is told, and how tall the picture is (pixels). */
export interface Drawing {
  readonly option: EChartsOption;
  readonly height: number;
}
