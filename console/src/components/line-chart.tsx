import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

interface LineChartProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

const HEIGHT = 160;
const COLORS = { light: ['#1864ab', '#c92a2a', '#2b8a3e'], dark: ['#74c0fc', '#ff8787', '#8ce99a'] };

/** A small chart over time. Its values are in the legend too, for readers who do not see it. */
export function LineChart({ title, times, lines }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const element = place.current!;
    const colors = COLORS[scheme];
    const axis = {
      stroke: scheme === 'dark' ? '#ced4da' : '#343a40',
      grid: { stroke: scheme === 'dark' ? '#373a40' : '#e9ecef' },
    };
    const chart = new UPlot(
      {
        title,
        width: element.clientWidth,
        height: HEIGHT,
        axes: [axis, { ...axis, size: 56 }],
        series: [{}, ...lines.map(({ label }, index) => ({ label, stroke: colors[index], width: 1.5 }))],
      },
      [[...times], ...lines.map(({ values }) => [...values])] as UPlot.AlignedData,
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [title, times, lines, scheme]);
  return <div ref={place} role="img" aria-label={describe(title, lines)} />;
}

function describe(title: string, lines: LineChartProps['lines']): string {
  return [title, ...lines.map(({ label, values }) => `${label}: ${values.at(-1) ?? 'no value'} at the end`)].join('. ');
}
