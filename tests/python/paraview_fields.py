"""Run by pvpython: the blocks of each snapshot of a series as ParaView reads them, into an .npz."""

import sys

import numpy as np
from paraview import servermanager
from paraview.simple import XDMFReader
from vtkmodules.util.numpy_support import vtk_to_numpy


def blocks_of(data):
    """The grids of a collection, in its order."""
    at = data.NewIterator()
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        yield at.GetCurrentDataObject()
        at.GoToNextItem()


def main():
    series, result = sys.argv[1:]
    reader = XDMFReader(FileNames=[series])
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    found = {"times": times}
    for n, time in enumerate(times):
        reader.UpdatePipeline(time)
        blocks = list(blocks_of(servermanager.Fetch(reader)))
        found[f"{n}/lower"] = [b.GetOrigin() for b in blocks]
        found[f"{n}/width"] = [b.GetSpacing() for b in blocks]
        cells = [b.GetCellData() for b in blocks]
        for field in range(cells[0].GetNumberOfArrays()):
            name = cells[0].GetArrayName(field)
            found[f"{n}/field/{name}"] = [vtk_to_numpy(c.GetArray(name)) for c in cells]
    np.savez(result, **found)


main()
