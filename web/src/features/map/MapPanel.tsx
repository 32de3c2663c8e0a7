import { memo, useCallback, useRef } from "react";
import type { MapModel, MapPlace } from "../../analysis/types";
import { placeAt } from "../../charts/map/layout";
import { MapChart } from "../../charts/map/MapChart";

export interface MapPanelProps {
  readonly model: MapModel;
  /** Under a hand no place is run: what was there before stays, pale. */
  readonly isHeld: boolean;
  readonly isFaded: boolean;
  readonly onKnobs: (values: Readonly<Record<string, MapPlace["value"]>>) => void;
}

export const MapPanel = memo(function MapPanel({ model, isHeld, isFaded, onKnobs }: MapPanelProps) {
  const last = useRef(model);
  const isSame = last.current.xLabel === model.xLabel && last.current.yLabel === model.yLabel;
  if (!isHeld || !isSame) last.current = model;
  const shown = last.current;
  const onChoose = useCallback(
    (index: number) => {
      const [x, y] = placeAt(shown, index);
      if (x !== undefined && y !== undefined) onKnobs({ [shown.xLabel]: x.value, [shown.yLabel]: y.value });
    },
    [shown, onKnobs],
  );
  return (
    <div className="map">
      <MapChart model={shown} isFaded={isFaded || isHeld} onChoose={onChoose} />
    </div>
  );
});
