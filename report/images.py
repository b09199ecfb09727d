# SPDX-License-Identifier: Apache-2.0
"""Pictures for the page: arrays to data URIs, values to colours."""

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from report.charts import CIVIDIS

Picture = NDArray[np.uint8]  # [height, width, 3], RGB


def data_uri(picture: Picture, quality: int = 86) -> str:
    """The picture as WebP inside a data URI; ``quality`` 100 is lossless."""
    out = io.BytesIO()
    lossless = quality >= 100
    Image.fromarray(picture).save(out, "WEBP", quality=quality, method=4, lossless=lossless)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def shrink(picture: Picture, side: int) -> Picture:
    """The picture with its longer side at most ``side`` pixels."""
    image = Image.fromarray(picture)
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return np.asarray(image)


def paint(values: NDArray[np.floating], known: NDArray[np.bool_]) -> Picture:
    """Values 0..1 in the colours of cividis; pixels that are not ``known`` are a dark grey."""
    anchors = np.array(CIVIDIS, float)
    place = np.clip(values, 0, 1) * (len(anchors) - 1)
    steps = np.arange(len(anchors))
    channels = [np.interp(place, steps, anchors[:, channel]) for channel in range(3)]
    picture = np.stack(channels, axis=-1).round().astype(np.uint8)
    picture[~known] = (28, 30, 34)
    return picture
